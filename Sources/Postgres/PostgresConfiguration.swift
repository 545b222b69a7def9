/// How a connection is made. What the connection string says itself wins over the values here.
package struct PostgresConfiguration: Sendable {
    /// A libpq URL or keyword string, multi-host allowed.
    package var connection: String
    package var applicationName = "ackhub"
    /// For each address of each host; libpq takes less than 2 as 2.
    package var connectTimeoutSeconds = 5
    /// The server ends a longer statement with SQLSTATE 57014. 0 is no limit, and then also none on our side.
    package var statementTimeoutMilliseconds = 30_000
    /// The server's silence beyond `statementTimeoutMilliseconds` after which we give it up (`.timeout`).
    package var answerGraceMilliseconds = 5_000
    /// Adds `target_session_attrs=read-write`: standbys and read-only sessions are passed over.
    package var requiresReadWrite = true
    /// Notices and warnings of the server, on the connection's thread.
    package var onNotice: @Sendable (String) -> Void = { _ in }

    package init(connection: String) { self.connection = connection }
}
