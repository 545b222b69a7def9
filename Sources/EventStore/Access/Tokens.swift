import MessageIDs
package import Postgres

/// API tokens. The database keeps their SHA-256 only, and finds them by it: no comparison here depends on a token's bytes.
package enum Tokens {
    package struct Listed: Sendable, Equatable {
        package var id: Int64
        package var account: Int64
        package var scopes: Set<TokenScope>
        package var name: String
        /// UNIX microseconds.
        package var createdAt: Int64
        /// UNIX microseconds; nil while it is good.
        package var revokedAt: Int64?
    }

    /// How a token's text begins: clients of some vendors look at it.
    package enum Prefix: String, CaseIterable, Sendable {
        case ackhub = "ackhub_"
        /// Carillon's mobile key.
        case carillonMobileKey = "carillon_mk_"
    }

    /// Makes a token of 32 random bytes (its prefix + base58), stores its SHA-256, returns its text: shown once.
    package static func create(
        account: Int64, scopes: Set<TokenScope>, name: String, prefix: Prefix = .ackhub,
        on connection: PostgresConnection
    ) throws -> String {
        precondition(account >= 1 && !scopes.isEmpty, "a token is of an account and allows something")
        // Linux's SystemRandomNumberGenerator reads getrandom(2).
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        var digits = ShortBytes()
        Base58.append(bytes.span, to: &digits)
        let token = prefix.rawValue + digits.text
        try connection.query(
            EmbeddedSQL.apiTokenCreate,
            [.int64(account), .text(token), .textArray(scopes.map(\.rawValue).sorted()), .text(name)])
        return token
    }

    /// nil for a token that is unknown, revoked, or none at all.
    package static func find(_ token: String, on connection: PostgresConnection) throws -> TokenGrant? {
        guard let prefix = Prefix.allCases.first(where: { token.hasPrefix($0.rawValue) }),
            token.utf8.count <= prefix.rawValue.utf8.count + self.digitsMax, !token.utf8.contains(0)
        else { return nil }
        let rows = try connection.query(EmbeddedSQL.apiTokenFind, [.text(token)])
        guard rows.count == 1 else { return nil }
        return TokenGrant(account: try rows.int64(0, 0), scopes: self.scopes(try rows.text(0, 1)))
    }

    /// In order of account and id; of all accounts when nil.
    package static func list(account: Int64?, on connection: PostgresConnection) throws -> [Listed] {
        let rows = try connection.query(EmbeddedSQL.apiTokenList, [account.map { .int64($0) } ?? .null])
        return try (0..<rows.count).map { row in
            Listed(
                id: try rows.int64(row, 0), account: try rows.int64(row, 1), scopes: self.scopes(try rows.text(row, 2)),
                name: try rows.text(row, 3), createdAt: try rows.timestamp(row, 4),
                revokedAt: rows.isNull(row, 5) ? nil : try rows.timestamp(row, 5))
        }
    }

    /// false when there is no such token or it is revoked already.
    package static func revoke(id: Int64, on connection: PostgresConnection) throws -> Bool {
        try connection.query(EmbeddedSQL.apiTokenRevoke, [.int64(id)]).affected == 1
    }

    /// 32 bytes in base58.
    private static let digitsMax = 44

    private static func scopes(_ text: String) -> Set<TokenScope> {
        Set(text.split(separator: ",").compactMap { TokenScope(rawValue: String($0)) })
    }
}
