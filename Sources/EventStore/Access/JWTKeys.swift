package import Postgres

/// The keys of JSON Web Tokens, as `ackhub.jwt_key` holds them.
package enum JWTKeys {
    /// Keys of one account that are in use at a time: a token without a known `kid` is tried with each.
    package static let activeMax = 16

    package enum Addition: Sendable, Equatable {
        case added
        /// The account has a key of that id, or had one: an id is not given twice.
        case idTaken
        /// The account has ``activeMax`` keys in use.
        case tooMany
    }

    /// A key without its material.
    package struct Listed: Sendable, Equatable {
        package var account: Int64
        package var id: String
        package var algorithm: JWTAlgorithm
        package var audience: String?
        package var issuer: String?
        package var name: String
        /// UNIX microseconds.
        package var createdAt: Int64
        /// UNIX microseconds; nil while it is good.
        package var revokedAt: Int64?
    }

    package static func add(_ key: JWTKey, name: String, on connection: PostgresConnection) throws -> Addition {
        precondition(key.account >= 1 && (1...JWTKey.idBytesMax).contains(key.id.utf8.count))
        return try connection.transaction {
            // Who adds at the same time waits: else both would find room for one more.
            try connection.execute(EmbeddedSQL.jwtKeyLock)
            guard try self.active(account: key.account, on: connection).count < self.activeMax else { return .tooMany }
            let created = try connection.query(
                EmbeddedSQL.jwtKeyCreate,
                [
                    .int64(key.account), .text(key.id), .text(key.algorithm.rawValue), .bytes(key.material),
                    key.audience.map { .text($0) } ?? .null, key.issuer.map { .text($0) } ?? .null, .text(name),
                ])
            return created.affected == 1 ? .added : .idTaken
        }
    }

    /// The account's keys in use, the newest first, at most ``activeMax``.
    package static func active(account: Int64, on connection: PostgresConnection) throws -> [JWTKey] {
        let rows = try connection.query(EmbeddedSQL.jwtKeyActive, [.int64(account), .int64(Int64(self.activeMax))])
        return try (0..<rows.count).map { row in
            JWTKey(
                account: account, id: try rows.text(row, 0), algorithm: try self.algorithm(try rows.text(row, 1)),
                material: try rows.bytes(row, 2), audience: rows.isNull(row, 3) ? nil : try rows.text(row, 3),
                issuer: rows.isNull(row, 4) ? nil : try rows.text(row, 4))
        }
    }

    /// In order of account and age; of all accounts when nil.
    package static func list(account: Int64?, on connection: PostgresConnection) throws -> [Listed] {
        let rows = try connection.query(EmbeddedSQL.jwtKeyList, [account.map { .int64($0) } ?? .null])
        return try (0..<rows.count).map { row in
            Listed(
                account: try rows.int64(row, 0), id: try rows.text(row, 1),
                algorithm: try self.algorithm(try rows.text(row, 2)),
                audience: rows.isNull(row, 3) ? nil : try rows.text(row, 3),
                issuer: rows.isNull(row, 4) ? nil : try rows.text(row, 4), name: try rows.text(row, 5),
                createdAt: try rows.timestamp(row, 6), revokedAt: rows.isNull(row, 7) ? nil : try rows.timestamp(row, 7)
            )
        }
    }

    /// false when the account has no such key in use.
    package static func revoke(account: Int64, id: String, on connection: PostgresConnection) throws -> Bool {
        try connection.query(EmbeddedSQL.jwtKeyRevoke, [.int64(account), .text(id)]).affected == 1
    }

    private static func algorithm(_ text: String) throws -> JWTAlgorithm {
        guard let algorithm = JWTAlgorithm(rawValue: text) else {
            throw StoreError(.inconsistent, "a JWT key with the algorithm \(text)")
        }
        return algorithm
    }
}
