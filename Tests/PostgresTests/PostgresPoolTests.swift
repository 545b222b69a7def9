import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.blocking)
struct PostgresPoolTests {
    /// Runs go to at most as many connections as the pool has, and each caller gets its own answer.
    @Test func sharesItsConnections() async throws {
        let database = try TestPostgres.shared.makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(connection: database.url), connections: 3, queueMax: 200)
        let processes = try await withThrowingTaskGroup(of: (Int, Int64, Int32).self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await pool.run { connection in
                        let value = try connection.query("SELECT $1 + 0", [.int64(Int64(index))]).int64(0, 0)
                        return (index, value, connection.serverProcess)
                    }
                }
            }
            var processes: Set<Int32> = []
            for try await (index, value, process) in group {
                #expect(Int64(index) == value)
                processes.insert(process)
            }
            return processes
        }
        #expect(processes.count <= 3)
        let metrics = pool.metrics
        #expect(metrics.runs == 100)
        #expect(metrics.failures == 0)
        #expect(metrics.queued == 0)
        #expect(metrics.connectionsOpen == processes.count)
        pool.close()
        #expect(pool.metrics.connectionsOpen == 0)
    }

    /// A full queue refuses at once; close drains what was taken and refuses the rest.
    @Test func isBounded() async throws {
        let database = try TestPostgres.shared.makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(connection: database.url), connections: 1, queueMax: 2)
        let gate = Gate()
        var taken = [Task { try await pool.run { _ in gate.pass() } }]
        try await waitUntil { () async throws -> Bool in gate.waiting == 1 }
        for _ in 0..<2 { taken.append(Task { try await pool.run { _ in gate.pass() } }) }
        try await waitUntil { () async throws -> Bool in pool.metrics.queued == 2 }
        #expect(gate.waiting == 1)
        #expect(pool.metrics.queued == 2)
        let error = await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
        #expect(error?.code == .unavailable)
        #expect(pool.metrics.refused == 1)
        gate.open()
        pool.close()
        for task in taken { try await task.value }
        #expect(pool.metrics.runs == 3)
        let closed = await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
        #expect(closed?.code == .unavailable)
    }

    /// A body's error is thrown on; a transaction that it left open does not reach the next run.
    @Test func cleansUpAfterABody() async throws {
        let database = try TestPostgres.shared.makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(connection: database.url), connections: 1, queueMax: 9)
        try await pool.run { try $0.execute("CREATE TABLE t (a int)") }
        try await pool.run { try $0.execute("BEGIN; INSERT INTO t VALUES (1)") }
        #expect(try await pool.run { try $0.query("SELECT 1 FROM t").count } == 0)
        let error = await #expect(throws: PostgresError.self) { try await pool.run { try $0.query("SELECT 1/0") } }
        #expect(error?.sqlState == "22012")
        #expect(try await pool.run { $0.isIdle })
        #expect(pool.metrics.failures == 1)
        #expect(pool.metrics.connectionsOpen == 1)
        pool.close()
    }

    /// A connection that died while idle is replaced before the next run notices.
    @Test func replacesADeadConnection() async throws {
        let server = try TestPostgres.startPrivate()
        let pool = PostgresPool(
            PostgresConfiguration(connection: server.url(database: "postgres")), connections: 1, queueMax: 9)
        let first = try await pool.run { $0.serverProcess }
        for mode in [TestPostgres.StopMode.fast, .immediate] {
            try server.stop(mode: mode)
            try server.start()
            #expect(try await pool.run { $0.serverProcess } != first)
        }
        pool.close()
    }

    /// While the server is silent or away the queue drains at the price of one connect time-out; when it is back, so is the pool.
    @Test func failsFastAndRecovers() async throws {
        let hole = BlackHole()
        var configuration = PostgresConfiguration(
            connection: "host=127.0.0.1 port=\(hole.port) user=u dbname=d password=hunter2 sslmode=disable")
        configuration.connectTimeoutSeconds = 2
        let pool = PostgresPool(configuration, connections: 1, queueMax: 50)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let error = await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
                    #expect(error?.code == .connection)
                    #expect(error?.description.contains("hunter2") == false)
                }
            }
        }
        // Were each run to try for itself, there would be 20.
        #expect((1...5).contains(hole.takeConnections()))
        #expect(pool.metrics.failures == 20)
        pool.close()

        let server = try TestPostgres.startPrivate()
        try server.stop()
        let other = PostgresPool(
            PostgresConfiguration(connection: server.url(database: "postgres")), connections: 2, queueMax: 50)
        await #expect(throws: PostgresError.self) { try await other.run { _ in } }
        try server.start()
        let isBack = try await waitUntil { (try? await other.run { try $0.query("SELECT 1").count }) == 1 }
        #expect(isBack)
        other.close()
    }
}

/// Holds threads until it is opened.
final class Gate: Sendable {
    private let isOpen = Atomic(false)
    private let waiters = Atomic(0)

    func pass() {
        self.waiters.add(1, ordering: .relaxed)
        waitUntil(deadline: .seconds(120)) { self.isOpen.load(ordering: .acquiring) }
        self.waiters.subtract(1, ordering: .relaxed)
    }

    func open() { self.isOpen.store(true, ordering: .releasing) }
    var waiting: Int { self.waiters.load(ordering: .relaxed) }
}
