import Dispatch
import EventStore
import Synchronization
import TestSupport
import Testing

@testable import HubServer

/// Which tokens hold, with tokens that the openssl command signed.
@Suite(.blocking)
struct JWTCheckTests {
    private static let now: UInt64 = 1_800_000_000_000_000_000

    /// nil when the token holds.
    private func fault(
        _ claims: String, header: String? = nil, signer: TokenSigner = .mac, keys: [JWTKey]
    ) throws -> JWTFault? {
        let token = try JSONWebToken(signer.token(claims, header: header))
        let keys = try keys.map { try JWTVerifyingKey($0) }
        do throws(JWTFault) {
            try token.check(with: keys, at: Self.now)
            return nil
        } catch {
            return error
        }
    }

    /// `exp` and `nbf` count where they are present, a minute's difference of clocks forgiven.
    @Test(
        arguments: [
            ("{}", nil), ("{\"exp\":1800000001}", nil), ("{\"exp\":1799999941}", nil), ("{\"exp\":1799999940.5}", nil),
            ("{\"exp\":1799999940}", .expired), ("{\"exp\":0}", .expired), ("{\"exp\":-1e300}", .expired),
            ("{\"exp\":1e300}", nil), ("{\"exp\":\"1900000000\"}", .claims), ("{\"exp\":null}", .claims),
            ("{\"exp\":1e999}", .claims), ("{\"nbf\":1800000060}", nil), ("{\"nbf\":1800000061}", .notYetValid),
            ("{\"nbf\":true}", .claims), ("{\"exp\":1900000000,\"nbf\":1900000000}", .notYetValid),
            // The SDK reads `matching`; the hub does not ask what it says.
            ("{\"matching\":\"{\\\"db_id\\\":1}\"}", nil), ("{\"matching\":7,\"iat\":\"x\"}", nil),
        ] as [(String, JWTFault?)])
    func honoursTimes(claims: String, fault: JWTFault?) throws {
        #expect(try self.fault(claims, keys: [TokenSigner.mac.key()]) == fault)
    }

    /// A key with an audience or an issuer takes tokens that name it, and no others.
    @Test(
        arguments: [
            ("{\"aud\":\"hub\",\"iss\":\"app\"}", nil), ("{\"aud\":[\"other\",\"hub\"],\"iss\":\"app\"}", nil),
            ("{\"iss\":\"app\"}", .audience), ("{\"aud\":\"other\",\"iss\":\"app\"}", .audience),
            ("{\"aud\":[],\"iss\":\"app\"}", .audience), ("{\"aud\":\"Hub\",\"iss\":\"app\"}", .audience),
            ("{\"aud\":\"hub \",\"iss\":\"app\"}", .audience), ("{\"aud\":[\"hub\",7],\"iss\":\"app\"}", .claims),
            ("{\"aud\":7,\"iss\":\"app\"}", .claims), ("{\"aud\":null,\"iss\":\"app\"}", .claims),
            ("{\"aud\":\"hub\"}", .issuer), ("{\"aud\":\"hub\",\"iss\":\"application\"}", .issuer),
            ("{\"aud\":\"hub\",\"iss\":[\"app\"]}", .claims),
        ] as [(String, JWTFault?)])
    func honoursAudienceAndIssuer(claims: String, fault: JWTFault?) throws {
        #expect(try self.fault(claims, keys: [TokenSigner.mac.key(audience: "hub", issuer: "app")]) == fault)
    }

    /// A key without them does not ask.
    @Test func asksForNothingUnlessTold() throws {
        #expect(try self.fault("{\"aud\":\"other\",\"iss\":\"any\"}", keys: [TokenSigner.mac.key()]) == nil)
    }

    /// Each algorithm, by the key that `kid` names or, where it names none, by any of the algorithm's.
    @Test(arguments: JWTAlgorithm.allCases)
    func findsTheKey(algorithm: JWTAlgorithm) throws {
        let signer = try TokenSigner.of(algorithm)
        let own = try signer.key(id: "own")
        let others = try JWTAlgorithm.allCases.filter { $0 != algorithm }.map {
            try TokenSigner.of($0).key(id: "other-\($0.rawValue)")
        }
        let all = others + [own]
        func fault(_ kid: String?, _ keys: [JWTKey]) throws -> JWTFault? {
            let member = kid.map { ",\"kid\":\"\($0)\"" } ?? ""
            return try self.fault(
                "{}", header: "{\"alg\":\"\(algorithm.rawValue)\"\(member)}", signer: signer, keys: keys)
        }
        #expect(try fault(nil, all) == nil)
        #expect(try fault("own", all) == nil)
        #expect(try fault("unheard-of", all) == nil)
        // A known id is taken at its word: no other key is tried.
        #expect(try fault(others[0].id, all) == .algorithm)
        #expect(try fault(nil, others) == .noKey)
        #expect(try fault(nil, []) == .noKey)
    }

    /// Another key of the same algorithm did not sign it.
    @Test func refusesForeignKeys() throws {
        let foreign = TokenSigner(secret: [UInt8](repeating: 7, count: 32))
        #expect(try self.fault("{}", signer: foreign, keys: [TokenSigner.mac.key()]) == .signature)
        let foreignEC = try TokenSigner(.es256, ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
        #expect(try self.fault("{}", signer: foreignEC, keys: [TokenSigner.of(.es256).key()]) == .signature)
    }

    /// Whoever has a public key can make MACs with it: they are never checked with it, in whatever form it is the secret.
    @Test(arguments: [JWTAlgorithm.rs256, .es256])
    func isNotConfusedAboutAlgorithms(algorithm: JWTAlgorithm) throws {
        let signer = try TokenSigner.of(algorithm)
        let key = try signer.key()
        let pem = try signer.keyFile
        for secret in [pem, Array(pem.dropLast()), key.material] {
            let attacker = TokenSigner(secret: secret)
            #expect(try self.fault("{}", signer: attacker, keys: [key]) == .noKey)
            #expect(
                try self.fault("{}", header: "{\"alg\":\"HS256\",\"kid\":\"k\"}", signer: attacker, keys: [key])
                    == .algorithm)
            // And a MAC is no signature, though the header says that it is one.
            #expect(
                try self.fault("{}", header: "{\"alg\":\"\(algorithm.rawValue)\"}", signer: attacker, keys: [key])
                    == .signature)
        }
    }

    /// The form that OpenSSL itself writes is not that of a JSON Web Signature.
    @Test func refusesDERSignatures() throws {
        let signer = try TokenSigner.of(.es256)
        let key = try JWTVerifyingKey(signer.key())
        let fixed = try signer.signature(of: [1, 2, 3])
        #expect(key.isSignature(fixed, of: [1, 2, 3]))
        let der = try #require(ECDSASignature.der(ofJWS: fixed))
        #expect(try TokenSigner.fixedWidth(der) == fixed)
        #expect(!key.isSignature(der, of: [1, 2, 3]))
    }

    /// One public key registered for two audiences serves both.
    @Test func triesEachKeyThatSigned() throws {
        let keys = try ["one", "two"].map { try TokenSigner.mac.key(id: $0, audience: $0) }
        for audience in ["one", "two"] {
            #expect(try self.fault("{\"aud\":\"\(audience)\"}", keys: keys) == nil)
        }
        #expect(try self.fault("{\"aud\":\"three\"}", keys: keys) == .audience)
    }

    /// One key serves every thread at once.
    @Test(arguments: JWTAlgorithm.allCases)
    func isSharedBetweenThreads(algorithm: JWTAlgorithm) throws {
        let signer = try TokenSigner.of(algorithm)
        let key = try JWTVerifyingKey(signer.key())
        let good = try JSONWebToken(signer.token("{\"sub\":\"phone\"}"))
        var bad = good.signature
        bad[5] ^= 1
        let mistakes = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { [bad] _ in
            for _ in 0..<200 {
                if !key.isSignature(good.signature, of: good.signedBytes) || key.isSignature(bad, of: good.signedBytes)
                {
                    mistakes.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        #expect(mistakes.load(ordering: .relaxed) == 0)
    }
}
