import Glibc
import Postgres
import TestSupport
import Testing

@Suite(.blocking)
struct PostgresFailureTests {
    /// A connection that the server ends during a statement is lost, retriable, and says why.
    @Test func noticesTermination() throws {
        let fixture = try PostgresFixture()
        let victim = fixture.connection
        let process = victim.serverProcess
        let thread = onceAsleep(process, fixture.database.url) { other in
            _ = try? other.query("SELECT pg_terminate_backend($1)", [.int32(process)])
        }
        let error = #expect(throws: PostgresError.self) { try victim.query("SELECT pg_sleep(60)") }
        thread.join()
        #expect(error?.code == .connection)
        #expect(error?.sqlState == "57P01")
        #expect(error?.isRetriable == true)
        #expect(!victim.isUsable)
        let next = #expect(throws: PostgresError.self) { try victim.query("SELECT 1") }
        #expect(next?.code == .connection)
    }

    /// A crash of the server during a transaction: the error is the connection's, ROLLBACK does not hide it, and after the
    /// restart nothing of the transaction is there.
    @Test func survivesACrash() throws {
        let server = try TestPostgres.startPrivate()
        let fixture = try PostgresFixture(server)
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int)")
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                try server.stop(mode: .immediate)
                try connection.execute("INSERT INTO t VALUES (2)")
            }
        }
        #expect(error?.code == .connection)
        #expect(!connection.checkIdle())
        let away = #expect(throws: PostgresError.self) { try fixture.connect() }
        #expect(away?.code == .connection)
        #expect(away?.isRetriable == true)
        try server.start()
        #expect(try fixture.connect().query("SELECT 1 FROM t").count == 0)
    }

    /// A COMMIT whose answer never comes is reported as a lost connection, not as a rollback.
    @Test func leavesALostCommitOpen() throws {
        let server = try TestPostgres.startPrivate()
        let fixture = try PostgresFixture(server)
        let connection = fixture.connection
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction { try server.stop(mode: .immediate) }
        }
        #expect(error?.code == .connection)
    }

    /// A server that falls silent during a statement is given up after the grace; the connection is then unusable.
    @Test func givesASilentServerUp() throws {
        let fixture = try PostgresFixture {
            $0.statementTimeoutMilliseconds = 100
            $0.answerGraceMilliseconds = 100
        }
        // The server would answer in time, were it not stopped.
        kill(fixture.connection.serverProcess, SIGSTOP)
        let error = #expect(throws: PostgresError.self) { try fixture.connection.query("SELECT 1") }
        kill(fixture.connection.serverProcess, SIGCONT)
        #expect(error?.code == .timeout)
        #expect(error?.isRetriable == true)
        #expect(!fixture.connection.isUsable)
    }

    /// The same for COPY data that nobody takes.
    @Test func givesASilentReaderUp() throws {
        let fixture = try PostgresFixture {
            $0.statementTimeoutMilliseconds = 200
            $0.answerGraceMilliseconds = 100
        }
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a text)")
        let error = #expect(throws: PostgresError.self) {
            try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", columnCount: 1) { rows in
                kill(connection.serverProcess, SIGSTOP)
                for _ in 0..<100_000 {
                    try rows.row()
                    rows.append(text: "0123456789012345678901234567890123456789")
                }
            }
        }
        kill(connection.serverProcess, SIGCONT)
        #expect(error?.code == .timeout)
        #expect(!connection.isUsable)
    }

    /// Another thread cancels what runs; the connection lives on.
    @Test func cancelsFromAnotherThread() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        let canceller = connection.makeCanceller()
        let thread = onceAsleep(connection.serverProcess, fixture.database.url) { _ in canceller.cancel() }
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(60)") }
        thread.join()
        #expect(error?.sqlState == "57014")
        #expect(try connection.query("SELECT 1").count == 1)
    }

    /// Which errors are worth another try.
    @Test(arguments: [
        ("40001", true), ("40P01", true), ("53100", true), ("53300", true), ("55P03", true), ("57014", true),
        ("57P01", true), ("57P02", true), ("57P03", true), ("25006", true), ("08006", true), ("58030", true),
        ("23505", false), ("42601", false), ("22021", false), ("28P01", false), ("XX000", false), ("0A000", false),
    ])
    func knowsWhatToRetry(_ sqlState: String, _ isRetriable: Bool) {
        #expect(PostgresError(code: .server, sqlState: sqlState, detail: "").isRetriable == isRetriable)
    }
}

/// Acts, from a thread with a connection of its own, once the session of `process` runs pg_sleep.
private func onceAsleep(
    _ process: Int32, _ url: String, _ action: @escaping @Sendable (PostgresConnection) -> Void
) -> WorkThread {
    WorkThread {
        let sql = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%' AND state = 'active'"
        guard let connection = try? PostgresConnection(PostgresConfiguration(connection: url)) else { return }
        waitUntil { (try? connection.query(sql, [.int32(process)]).count) == 1 }
        action(connection)
    }
}
