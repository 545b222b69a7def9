import CPostgres

/// Owns one PGresult.
///
/// Sendable without a lock: libpq does not change a result once PQgetResult has returned it, and lets threads share it
/// (libpq, "Behavior in Threaded Programs").
final class PostgresResult: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(self.pointer) }

    var status: ExecStatusType { PQresultStatus(self.pointer) }

    /// The command tag: `INSERT 0 5`, `COMMIT`, `ROLLBACK`.
    var tag: String { String(cString: PQcmdStatus(self.pointer)) }
}
