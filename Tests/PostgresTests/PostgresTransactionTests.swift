import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.blocking)
struct PostgresTransactionTests {
    /// What the body throws is thrown on, and nothing of the body remains.
    @Test func rollsBack() throws {
        struct Stop: Error {}
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try fixture.count("t") == 0)
        #expect(try connection.transaction { try connection.query("INSERT INTO t VALUES (1), (2)").affected } == 2)
        #expect(try fixture.count("t") == 2)
    }

    /// A body that hides an error does not make a commit of a rollback.
    @Test func noticesThatCommitRolledBack() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int)")
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                try? connection.execute("SELECT 1/0")
            }
        }
        #expect(error?.sqlState == "25P02")
        #expect(try fixture.count("t") == 0)
        #expect(connection.isIdle)
    }

    /// A deferred constraint fails at COMMIT.
    @Test func reportsTheErrorOfCommit() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction { try connection.execute("INSERT INTO t VALUES (1), (1)") }
        }
        #expect(error?.sqlState == "23505")
        #expect(connection.isIdle)
    }

    /// Of two transactions that wait for each other one gets through, and the other's error is retriable.
    @Test func callsADeadlockRetriable() throws {
        let fixture = try PostgresFixture()
        try fixture.connection.execute(
            "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0)")
        let url = fixture.database.url
        let both = Barrier(2)
        let errors = Notices()
        let threads = [(1, 2), (2, 1)].map { first, second in
            WorkThread {
                do {
                    let connection = try PostgresConnection(PostgresConfiguration(connection: url))
                    try connection.execute("SET deadlock_timeout = '20ms'")
                    try connection.transaction {
                        try connection.execute("UPDATE t SET n = n + 1 WHERE id = \(first)")
                        both.wait()
                        try connection.execute("UPDATE t SET n = n + 1 WHERE id = \(second)")
                    }
                } catch let error as PostgresError {
                    errors.add("\(error.sqlState ?? "") \(error.isRetriable)")
                } catch {
                    errors.add("\(error)")
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(errors.all == ["40P01 true"])
        #expect(try fixture.connection.query("SELECT sum(n)::int8 FROM t").int64(0, 0) == 2)
    }
}

/// Holds threads back until all of them are here.
final class Barrier: Sendable {
    private let arrived = Notices()
    private let count: Int
    init(_ count: Int) { self.count = count }

    func wait() {
        self.arrived.add("")
        waitUntil { self.arrived.all.count >= self.count }
    }
}

/// A thread of its own for blocking work.
final class WorkThread: Sendable {
    private let done = Notices()

    init(_ body: @escaping @Sendable () -> Void) {
        let done = self.done
        Thread.detachNewThread {
            body()
            done.add("")
        }
    }

    func join() { waitUntil(deadline: .seconds(30)) { !self.done.all.isEmpty } }
}
