import CommandLineOptions
import EventStore
import Glibc
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import ackhub_bench

/// Fills of a real database.
@Suite(.blocking)
struct FillRunTests {
    private static func fill(_ database: TestDatabase, _ directory: TemporaryFolder) -> FillRun {
        FillRun(
            database: database.url, events: 9_000, account: 5, mix: KindMix(acks: 3, opens: 2), launches: 4,
            repeatPercent: 10, stepEvents: 4_000, hubs: 2, batchRecordsMax: 700, directory: directory.path,
            processes: [ProcessTree(name: "self", pid: getpid())])
    }

    /// Everything arrives, by two hubs, with repeats; each step has its figures, and no spool is left.
    @Test(.timeLimit(.minutes(5))) func loadsWhatWasAskedFor() throws {
        let database = try TestPostgres.shared.makeDatabase()
        let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
        _ = try Migrations.apply(on: connection)
        let directory = TemporaryFolder()
        var printed = 0
        let outcome = try Self.fill(database, directory).run { _, _ in printed += 1 }
        #expect(outcome.differences == [] && outcome.plan.recordCount == 9_900)
        #expect(printed == outcome.steps.count && printed >= 2 && outcome.steps.last?.stored == 9_900)
        let whole = try #require(outcome.whole)
        #expect(whole.events == 9_900 && whole.loader > 0 && whole.walBytes > 0 && whole.eventsPerBatch <= 700)
        #expect(whole.processes.count == 2 && outcome.processes == ["self", CPUReading.ownName])
        #expect(try Self.count("ackhub.event_log", connection) == 9_900)
        #expect(try Self.count("ackhub.message", connection) == 5_400)
        #expect(try Self.count("ackhub.event_log where is_first", connection) == 9_000)
        #expect(access(directory.path, F_OK) == 0 && rmdir(directory.path) == 0, "a spool is left")
    }

    /// Counters that are not what was put in are found.
    @Test func findsAWrongCounter() throws {
        let database = try TestPostgres.shared.makeDatabase()
        let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
        _ = try Migrations.apply(on: connection)
        let launches = FillLaunches(account: 5, count: 2, messages: 1, now: 1_790_000_000_123_456_789)
        var ledger = FillLedger(launches: 2)
        ledger.add(FillPlan.Event(kind: .ack, message: 1, isAcked: true), launch: 1, isRepeat: false)
        let check = FillCheck(launches: launches, connection: connection)
        #expect(try check.differences(ledger).count == 1)
        let launch = launches.id(1)
        try connection.query(
            "insert into ackhub.launch_total values ($1, $2, $3, $4, 1, 2, 1, false, 0, 0, 1, 0, 0, 1, 0)",
            [
                .int64(5), .int64(launch.campaign), .timestamp(Int64(launch.launchedAt / 1_000)),
                .int16(Int16(launch.launchedAt % 1_000)),
            ])
        #expect(try check.differences(ledger) == [])
        for tampering in ["acked = 0", "acks_total = 2", "opened = 1", "opens_total = 1", "derived = 1"] {
            try connection.execute("begin; update ackhub.launch_total set \(tampering)")
            #expect(try check.differences(ledger).count == 1, "\(tampering)")
            try connection.execute("rollback")
        }
    }

    /// What can't begin says why: a database that is not there, a folder that is not.
    @Test func refusesWhatIsNotThere() throws {
        let database = try TestPostgres.shared.makeDatabase()
        let directory = TemporaryFolder()
        var fill = Self.fill(database, directory)
        fill.directory = directory.path + "/none"
        #expect(throws: CommandError.self) { try fill.run { _, _ in } }
        fill.database = "host=127.0.0.1 port=1 user=nobody"
        #expect(throws: PostgresError.self) { try fill.run { _, _ in } }
    }

    /// Ended by a signal in the middle of its work it leaves no spool.
    @Test(.timeLimit(.minutes(5)), arguments: [SIGINT, SIGTERM]) func cleansUpWhenSignalled(signal: Int32) throws {
        let database = try TestPostgres.shared.makeDatabase()
        let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
        _ = try Migrations.apply(on: connection)
        let directory = TemporaryFolder()
        let fill = try ChildProcess(
            Self.program(),
            [
                "fill", "--database", database.url, "--events", "100000000", "--hubs", "2", "--step", "1000",
                "--directory", directory.path,
            ])
        // A header and a line of figures.
        #expect(waitUntil(deadline: .seconds(60)) { fill.standardOutput.count { $0 == "\n" } >= 2 }, "loads nothing")
        #expect(rmdir(directory.path) != 0, "no spool is there")
        fill.signal(signal)
        #expect(fill.wait(deadline: .seconds(60)) == -signal)
        #expect(rmdir(directory.path) == 0, "a spool is left")
    }

    /// Beside the tests in the build.
    private static func program() -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/ackhub-bench"
    }

    private static func count(_ from: String, _ connection: PostgresConnection) throws -> Int64 {
        try connection.query("select count(*) from \(from)").int64(0, 0)
    }
}
