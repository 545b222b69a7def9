import Postgres

extension PostgresError {
    /// Whether a record's own content may be the cause, so that taking the batch apart finds it: a data exception (22), a
    /// violated constraint (23, 44), a cardinality violation (21), a program limit (54), a trigger's refusal (P0).
    ///
    /// What is wrong with the schema, the rights or the server (25, 28, 3D, 3F, 42, 53, 57, 58, XX001…) says nothing about a
    /// record: the batch waits until someone has mended it.
    var mayBeARecordsFault: Bool {
        guard !self.isRetriable, let sqlState = self.sqlState else { return false }
        return ["21", "22", "23", "44", "54", "P0"].contains(String(sqlState.prefix(2)))
    }

    /// An internal error of the server. It may pass, as beside a change of the schema; one that stays may be a record's fault.
    var isInternal: Bool { self.sqlState == "XX000" }
}
