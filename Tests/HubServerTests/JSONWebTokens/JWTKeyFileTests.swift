import EventStore
import TestSupport
import Testing

@testable import HubServer

/// What an operator may hand over as a key.
@Suite(.blocking)
struct JWTKeyFileTests {
    private func refusal(_ file: [UInt8], _ algorithm: JWTAlgorithm) -> String? {
        do {
            _ = try JWTKeyFile.material(of: file, for: algorithm)
            return nil
        } catch {
            return error.description
        }
    }

    /// PEM and DER of one public key are the same key.
    @Test(arguments: [JWTAlgorithm.rs256, .es256])
    func readsPublicKeys(algorithm: JWTAlgorithm) throws {
        let pem = try TokenSigner.of(algorithm).keyFile
        let material = try JWTKeyFile.material(of: pem, for: algorithm)
        #expect(try JWTKeyFile.material(of: material, for: algorithm) == material)
        #expect(try JWTKeyFile.material(of: Array("note\n".utf8) + pem + [10], for: algorithm) == material)
    }

    /// A private key is refused in any form, by name, for every algorithm.
    @Test(arguments: [JWTAlgorithm.rs256, .es256])
    func refusesPrivateKeys(algorithm: JWTAlgorithm) throws {
        let folder = TemporaryFolder()
        let pem = try TokenSigner.of(algorithm).privateFile
        let der = folder.file("private.der")
        try TokenSigner.openssl(["pkey", "-in", pem, "-outform", "DER", "-out", der])
        let old = folder.file("old.pem")
        try TokenSigner.openssl(["pkey", "-in", pem, "-traditional", "-out", old])
        for file in [pem, der, old] {
            #expect(try self.refusal(TokenSigner.bytes(of: file), algorithm)?.contains("private key") == true)
        }
        for file in [pem, der] {
            #expect(try self.refusal(TokenSigner.bytes(of: file), .hs256)?.contains("key file") == true)
        }
    }

    /// Everybody has a public key: no secret of a MAC, in neither form.
    @Test(arguments: [JWTAlgorithm.rs256, .es256])
    func refusesPublicKeysAsSecrets(algorithm: JWTAlgorithm) throws {
        let pem = try TokenSigner.of(algorithm).keyFile
        for file in [pem, try JWTKeyFile.material(of: pem, for: algorithm)] {
            #expect(self.refusal(file, .hs256)?.contains("key file") == true)
        }
    }

    /// A key of another type, curve or size than its algorithm's is refused when it is added, not when a phone calls.
    @Test(arguments: [
        (JWTAlgorithm.rs256, ["RSA", "-pkeyopt", "rsa_keygen_bits:1024"], "1024"),
        (.rs256, ["RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"], "RSA key"),
        (.rs256, ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "RSA key"),
        (.es256, ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "P-256"),
        (.es256, ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "P-256"),
        (.es256, ["EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"], "P-256"),
        (.es256, ["ED25519"], "P-256"),
    ])
    func refusesUnfitKeys(algorithm: JWTAlgorithm, options: [String], reason: String) throws {
        let file = try TokenSigner(algorithm, options).keyFile
        #expect(self.refusal(file, algorithm)?.contains(reason) == true)
    }

    /// What is no key at all.
    @Test func refusesOtherFiles() throws {
        let key = try TokenSigner.of(.es256).key().material
        // A point that is not on the curve.
        let off = key.dropLast() + [key.last! ^ 1]
        for file in [
            [], Array("hello".utf8), key + [0], Array(key.dropLast()), Array(off),
            Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8),
            Array("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n".utf8),
        ] {
            #expect(self.refusal(file, .es256) != nil)
        }
        // An even modulus is no product of two primes; it ends before the exponent, 02 03 01 00 01.
        var even = try TokenSigner.of(.rs256).key().material
        even[even.count - 6] &= 0xFE
        #expect(self.refusal(even, .rs256)?.contains("numbers") == true)
    }

    /// A secret is its file's bytes without the line's end, at least as long as the hash.
    @Test func readsSecrets() throws {
        let secret = [UInt8](repeating: 0x61, count: 31) + [10]
        for end in [[], [10], [13, 10]] as [[UInt8]] {
            #expect(try JWTKeyFile.material(of: secret + [7] + end, for: .hs256) == secret + [7])
        }
        #expect(try JWTKeyFile.material(of: secret + [10], for: .hs256) == secret)
        #expect(self.refusal(secret, .hs256)?.contains("31") == true)
        #expect(self.refusal([UInt8](repeating: 1, count: 1_025), .hs256)?.contains("1025") == true)
        #expect(try self.refusal(TokenSigner.of(.rs256).keyFile, .hs256)?.contains("key file") == true)
    }

    /// Nothing prints a key's bytes.
    @Test func hidesTheMaterial() throws {
        let key = try TokenSigner.mac.key()
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("material") && !text.contains("97"))
        }
    }
}
