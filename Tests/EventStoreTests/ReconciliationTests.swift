import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// The recount finds what was tampered with, and only that.
@Suite(.blocking)
struct ReconciliationTests {
    private static func store() throws -> Store {
        let store = try Store()
        let messages = (0..<6).map { Sample.message($0, provider: UInt8(1 + $0 % 2)) }
        try store.load(
            [Sample.sent(6), Sample.sent(3, provider: 2)] + messages.prefix(4).map { Sample.ack($0) }
                + messages.suffix(3).map { Sample.open($0) }
                + [Sample.open(messages[0], eventClass: .bot), Sample.open(messages[5], eventClass: .proxy)])
        return store
    }

    /// An untouched store has no difference, and the sizes are told.
    @Test func untouchedStoreAgrees() throws {
        let store = try Self.store()
        let outcome = try Reconciliation.run(account: nil, on: store.connection)
        #expect(outcome == Reconciliation.Outcome(launches: 1, messages: 6, events: 9, differences: []))
        #expect(try Reconciliation.run(account: 1, on: store.connection) == outcome)
        #expect(try Reconciliation.run(account: 2, on: store.connection).events == 0)
    }

    /// It takes as long as it takes: no time-out ends it.
    @Test func outlastsTheTimeouts() throws {
        let store = try Self.store()
        try store.connection.execute(
            """
            create or replace function ackhub.class_counts_opens(code smallint) returns boolean language plpgsql as
                $$ begin perform pg_sleep(0.3); return code in (0, 1); end $$
            """)
        var configuration = PostgresConfiguration(connection: store.database.url)
        configuration.statementTimeoutMilliseconds = 100
        configuration.answerGraceMilliseconds = 100
        let outcome = try Reconciliation.run(account: nil, on: PostgresConnection(configuration))
        #expect(outcome.differences == [] && outcome.events == 9)
    }

    /// Every counter of both tables, raised for one key: exactly that is found.
    @Test(arguments: ["sent", "acked", "derived", "opened", "acks_total", "opens_total"])
    func everyCounterIsWatched(_ counter: String) throws {
        let store = try Self.store()
        let key = "provider 1, class human, resource 5, channel push, "
        try store.connection.execute(
            "begin; update ackhub.launch_total set \(counter) = \(counter) + 1 where provider = 1 and class = 0")
        let inTotal = try store.connection.query(EmbeddedSQL.reconciliationDifferences, [.null, .int64(10)])
        try store.connection.execute("rollback")
        #expect(inTotal.count == 1)
        #expect(try inTotal.text(0, 4) == key + (counter == "sent" ? "sent in total and buckets" : counter))
        #expect(try inTotal.int64(0, 5) == inTotal.int64(0, 6) + 1)

        try store.connection.execute(
            "update ackhub.launch_bucket set \(counter) = \(counter) + 1 where provider = 1 and class = 0")
        let differences = try Reconciliation.run(account: nil, on: store.connection).differences
        #expect(differences.allSatisfy { $0.launch == Sample.launch && $0.counter.hasPrefix(key + counter) })
        #expect(!differences.isEmpty)
    }

    /// Raw rows that are lost, doubled or changed, and flags and states that are not true.
    @Test(arguments: [
        "delete from ackhub.event_log where ctid = (select min(ctid) from ackhub.event_log where kind = 1)",
        "insert into ackhub.event_log select * from ackhub.event_log where class = 3",
        "insert into ackhub.event_log select 1, gen_random_uuid(), received_at, null, 1, 1, 0, 0, false from ackhub.event_log limit 1",
        "update ackhub.event_log set class = 0 where class = 3",
        "update ackhub.event_log set is_first = false where kind = 2",
        "update ackhub.event_log set is_first = true where class = 3",
        "delete from ackhub.message where provider = 2",
        "update ackhub.message set state = 0 where provider = 2",
        "update ackhub.message set state = state | 1",
        "update ackhub.message set provider = 9 where provider = 2",
        "update ackhub.message set launched_at_nanos = launched_at_nanos + 1",
        "delete from ackhub.launch_total where provider = 2",
        "delete from ackhub.launch_bucket",
        "insert into ackhub.launch_total select 1, 8, launched_at, 0, 5, 2, 1, false, 0, 0, 1 from ackhub.launch_total limit 1",
    ]) func everyTableIsWatched(_ tampering: String) throws {
        let store = try Self.store()
        #expect(try store.connection.query(tampering).affected > 0)
        #expect(try store.differences() != [])
    }
}
