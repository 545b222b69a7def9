import COpenSSL
import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct AESSIVTests {
    private func seal(_ key: [UInt8], _ associatedData: [[UInt8]], _ plaintext: [UInt8]) throws -> [UInt8] {
        self.seal(try self.siv(key, associatedData), plaintext)
    }

    private func siv(_ key: [UInt8], _ associatedData: [[UInt8]]) throws -> AESSIV {
        try SecretBytes(key).withBytes { bytes throws(KeyRingError) in
            try AESSIV(key: bytes, associatedData: associatedData)
        }
    }

    private func seal(_ siv: AESSIV, _ plaintext: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + AESSIV.tagBytes)
        plaintext.withUnsafeBytes { from in sealed.withUnsafeMutableBytes { siv.seal(from, into: $0) } }
        return sealed
    }

    private func open(_ siv: AESSIV, _ sealed: [UInt8]) -> (isAuthentic: Bool, plaintext: [UInt8]) {
        var plaintext = [UInt8](repeating: 0xaa, count: sealed.count - AESSIV.tagBytes)
        let isAuthentic = sealed.withUnsafeBytes { from in
            plaintext.withUnsafeMutableBytes { siv.open(from, into: $0) }
        }
        return (isAuthentic, plaintext)
    }

    /// RFC 5297, appendix A.1: deterministic encryption with one string of associated data.
    @Test func givesTheVectorOfA1() throws {
        let key = Hex.bytes("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        let data = Hex.bytes("101112131415161718191a1b1c1d1e1f2021222324252627")
        let plaintext = Hex.bytes("112233445566778899aabbccddee")
        let sealed = Hex.bytes("85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c")
        #expect(try self.seal(key, [data], plaintext) == sealed)
        let opened = self.open(try self.siv(key, [data]), sealed)
        #expect(opened.isAuthentic && opened.plaintext == plaintext)
    }

    /// RFC 5297, appendix A.2: three strings, the last of them a nonce.
    @Test func givesTheVectorOfA2() throws {
        let key = Hex.bytes("7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f")
        let data = [
            Hex.bytes("00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100"),
            Hex.bytes("102030405060708090a0"), Hex.bytes("09f911029d74e35bd84156c5635688c0"),
        ]
        let plaintext = Array("this is some plaintext to encrypt using SIV-AES".utf8)
        let sealed = Hex.bytes(
            "7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829ea64ad54"
                + "4a272e9c485b62a3fd5c0d")
        #expect(try self.seal(key, data, plaintext) == sealed)
        let opened = self.open(try self.siv(key, data), sealed)
        #expect(opened.isAuthentic && opened.plaintext == plaintext)
    }

    /// OpenSSL's own cipher gives the same for random keys, data and plaintexts of every length around the block size.
    @Test(arguments: [(32, "AES-128-SIV"), (48, "AES-192-SIV"), (64, "AES-256-SIV")])
    func agreesWithOpenSSL(_ keyBytes: Int, _ name: String) throws {
        var random = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
        for count in 1...90 {
            let key = bytes(keyBytes)
            let data = (0..<Int.random(in: 1...3)).map { _ in bytes(Int.random(in: 1...40)) }
            let siv = try self.siv(key, data)
            // The context is used again: an OpenSSL SIV context would miscompute here.
            for _ in 0..<2 {
                let plaintext = bytes(count)
                let sealed = self.seal(siv, plaintext)
                #expect(sealed == (try self.openSSLSeal(name, key, data, plaintext)))
                let opened = self.open(siv, sealed)
                #expect(opened.isAuthentic && opened.plaintext == plaintext)
            }
        }
    }

    private func openSSLSeal(_ name: String, _ key: [UInt8], _ data: [[UInt8]], _ plaintext: [UInt8]) throws -> [UInt8]
    {
        let cipher = try #require(EVP_CIPHER_fetch(nil, name, nil))
        defer { EVP_CIPHER_free(cipher) }
        let context = try #require(EVP_CIPHER_CTX_new())
        defer { EVP_CIPHER_CTX_free(context) }
        #expect(EVP_EncryptInit_ex2(context, cipher, key, nil, nil) == 1)
        var count: Int32 = 0
        for string in data { #expect(EVP_EncryptUpdate(context, nil, &count, string, Int32(string.count)) == 1) }
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        #expect(EVP_EncryptUpdate(context, &ciphertext, &count, plaintext, Int32(plaintext.count)) == 1)
        var tag = [UInt8](repeating: 0, count: 16)
        #expect(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1)
        return tag + ciphertext
    }

    /// A refused ciphertext leaves no plaintext behind, and the context still works.
    @Test func wipesWhatIsNotAuthentic() throws {
        let siv = try self.siv([UInt8](repeating: 7, count: 64), [[1]])
        let plaintext = Array(1...40) as [UInt8]
        let sealed = self.seal(siv, plaintext)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let opened = self.open(siv, changed)
            #expect(!opened.isAuthentic)
            #expect(opened.plaintext.allSatisfy { $0 == 0 })
        }
        #expect(self.open(siv, sealed).plaintext == plaintext)
    }

    /// Other associated data, another key: not authentic.
    @Test func bindsKeyAndAssociatedData() throws {
        let key = [UInt8](repeating: 7, count: 64)
        let sealed = try self.seal(key, [[1]], Array(1...30))
        #expect(!self.open(try self.siv(key, [[2]]), sealed).isAuthentic)
        #expect(!self.open(try self.siv(key, []), sealed).isAuthentic)
        #expect(!self.open(try self.siv(key, [[1], []]), sealed).isAuthentic)
        for half in [0, 32] {
            var other = key
            other[half] ^= 1
            #expect(!self.open(try self.siv(other, [[1]]), sealed).isAuthentic)
        }
    }
}
