import EventStore
import StrictJSON

extension JSONWebToken {
    /// Clocks of servers and hubs differ by so much.
    static let leewaySeconds = 60.0

    /// Returns when one of `keys` signed the token and it holds now; `now` is UNIX nanoseconds.
    ///
    /// The key decides the algorithm, never the token alone: a key is used with the algorithm that it was added for and
    /// no other, so that a public key can't serve as a MAC's secret.
    func check(with keys: [JWTVerifyingKey], at now: UInt64) throws(JWTFault) {
        let candidates = try self.candidates(among: keys)
        var fault = JWTFault.signature
        for key in candidates where key.isSignature(self.signature, of: self.signedBytes) {
            do throws(JWTFault) {
                try self.checkTimes(at: now)
                try self.checkAudience(key.audience)
                try self.checkIssuer(key.issuer)
                return
            } catch {
                // The same key may be registered twice, for two audiences.
                fault = error
            }
        }
        throw fault
    }

    /// The key that the token names, where it is known; else every key of its algorithm.
    private func candidates(among keys: [JWTVerifyingKey]) throws(JWTFault) -> [JWTVerifyingKey] {
        if let keyID, let named = keys.first(where: { Self.isSame($0.id, keyID) }) {
            guard named.algorithm == self.algorithm else { throw .algorithm }
            return [named]
        }
        let candidates = keys.filter { $0.algorithm == self.algorithm }
        guard !candidates.isEmpty else { throw .noKey }
        return candidates
    }

    /// `exp` and `nbf` are honoured where they are present (RFC 7519 sections 4.1.4 and 4.1.5).
    private func checkTimes(at now: UInt64) throws(JWTFault) {
        let now = Double(now) / 1e9
        if let expires = try self.seconds("exp"), now >= expires + Self.leewaySeconds { throw .expired }
        if let begins = try self.seconds("nbf"), now < begins - Self.leewaySeconds { throw .notYetValid }
    }

    /// A NumericDate: UNIX seconds, a fraction allowed.
    private func seconds(_ name: String) throws(JWTFault) -> Double? {
        guard let value = self.claims[name] else { return nil }
        guard let seconds = value.double else { throw .claims }
        return seconds
    }

    private func checkAudience(_ wanted: String?) throws(JWTFault) {
        var audiences: [String] = []
        switch self.claims["aud"] {
        case nil: break
        case .string(let audience): audiences = [audience]
        case .array(let items):
            audiences = items.compactMap(\.text)
            guard audiences.count == items.count else { throw .claims }
        default: throw .claims
        }
        guard let wanted else { return }
        guard audiences.contains(where: { Self.isSame($0, wanted) }) else { throw .audience }
    }

    private func checkIssuer(_ wanted: String?) throws(JWTFault) {
        let claim = self.claims["iss"]
        guard claim == nil || claim?.text != nil else { throw .claims }
        guard let wanted else { return }
        guard let issuer = claim?.text, Self.isSame(issuer, wanted) else { throw .issuer }
    }

    /// RFC 7519 section 2 compares code point by code point; Swift's `==` also equates canonical equivalents.
    private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
