/// What went wrong with a connection, a statement or the pool. Never holds a parameter's value or a password.
package struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package var name: String
        /// The connection could not be made or was lost. After COMMIT: the outcome is unknown.
        package static let connection = Code(name: "connection")
        /// The server answered with an error: see `sqlState`.
        package static let server = Code(name: "server")
        /// Our own deadline passed; the connection is unusable and the statement's outcome unknown.
        package static let timeout = Code(name: "timeout")
        /// The pool's queue is full or it is closed.
        package static let unavailable = Code(name: "unavailable")
        /// A value or column was not of the type that the caller asked for.
        package static let type = Code(name: "type")
        /// The connection string can't be parsed.
        package static let configuration = Code(name: "configuration")
    }

    package var code: Code
    /// Five characters, from the server. With `.connection` it is why the server closed the connection.
    package var sqlState: String?
    /// For people and logs.
    package var detail: String
    /// The plan of a prepared statement no longer fits its tables. It has been forgotten: the next try prepares it anew.
    var isStalePlan = false

    package init(code: Code, sqlState: String? = nil, detail: String) {
        self.code = code
        self.sqlState = sqlState
        self.detail = detail
    }

    /// The same work may succeed later or on another server. SQLSTATE classes and codes: PostgreSQL, appendix A.
    package var isRetriable: Bool {
        switch self.code {
        case .connection, .timeout, .unavailable: return true
        case .server: break
        default: return false
        }
        guard let sqlState = self.sqlState else { return false }
        return self.isStalePlan || Self.retriableStates.contains(sqlState)
            || Self.retriableClasses.contains(String(sqlState.prefix(2)))
    }

    /// A row with the same key is there already.
    package var isUniqueViolation: Bool { self.sqlState == "23505" }

    package var description: String {
        self.sqlState.map { "\(self.code.name): \(self.detail) (SQLSTATE \($0))" }
            ?? "\(self.code.name): \(self.detail)"
    }

    /// 08 connection, 40 rollback (deadlock, serialization), 53 resources (disk full, too many connections),
    /// 57 intervention (time-out, cancel, shutdown, starting up), 58 system (I/O).
    private static let retriableClasses: Set<String> = ["08", "40", "53", "57", "58"]
    /// Read-only after a fail-over, object in use, lock not available.
    private static let retriableStates: Set<String> = ["25006", "55006", "55P03"]
}
