import CPostgres
import Glibc

/// One connection; one thread. Closes in deinit.
///
/// The session has client encoding UTF8, time zone UTC and the configuration's statement time-out. After `.connection` and
/// `.timeout` it is unusable: make a new one.
package final class PostgresConnection {
    let pointer: OpaquePointer
    private let notices: NoticeSink
    private let statementTimeoutMilliseconds: Int
    /// The longest silence of the server that is waited for; -1 is no limit.
    private(set) var silenceMillisecondsMax: Int32
    /// We gave it up, whatever libpq thinks of it.
    var isAbandoned = false
    /// Names of statements that are prepared on the server.
    private var statements: [Statement: String] = [:]
    private var statementNumber = 0

    /// How many statements stay prepared; then all are forgotten and prepared anew as they come.
    package static let preparedStatementsMax = 256

    private struct Statement: Hashable {
        var sql: String
        var types: [UInt32]
    }

    /// Connects, blocking: for each address of each host at most the connect time-out, and the resolver's time.
    package init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        let parameters = try configuration.parameters()
        let pointer = withCStrings(parameters.map(\.keyword)) { keywords in
            withCStrings(parameters.map(\.value)) { values in PQconnectdbParams(keywords, values, 0) }
        }
        guard let pointer else { throw PostgresError(.connection, connection: nil) }
        self.pointer = pointer
        self.notices = NoticeSink(report: configuration.onNotice)
        let limit = max(configuration.statementTimeoutMilliseconds, 0)
        self.statementTimeoutMilliseconds = limit
        self.silenceMillisecondsMax = limit > 0 ? Int32(clamping: limit + configuration.answerGraceMilliseconds) : -1
        guard PQstatus(pointer) == CONNECTION_OK, PQsetnonblocking(pointer, 1) == 0 else {
            throw PostgresError(.connection, connection: pointer)
        }
        // Else DETAIL, and values with it, could come with PQerrorMessage; PostgresError reads the fields it wants.
        PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
        // The sink lives as long as the connection: `deinit` finishes it before `notices` goes.
        let sink = Unmanaged.passUnretained(self.notices).toOpaque()
        PQsetNoticeReceiver(
            pointer,
            { sink, result in
                guard let sink, let result else { return }
                Unmanaged<NoticeSink>.fromOpaque(sink).takeUnretainedValue().report(noticeText(result))
            }, sink)
        try self.execute("SET statement_timeout = \(limit); SET TimeZone = 'UTC'")
    }

    deinit { PQfinish(self.pointer) }

    /// Runs one or many statements without parameters; results are dropped. Without BEGIN in it, it is one transaction.
    /// The error of any statement is thrown; what follows it has not run.
    package func execute(_ sql: String) throws(PostgresError) {
        try self.requireText(sql)
        _ = try self.roundTrip(PQsendQuery(self.pointer, sql))
    }

    /// Runs one statement with binary parameters and binary results. Prepares it once a connection by its text.
    @discardableResult
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresRows {
        let encoded = try PostgresParameters(parameters)
        do {
            return try self.run(sql, encoded)
        } catch {
            // Inside a transaction the error has ended it: the caller repeats that (`isRetriable`).
            guard error.isStalePlan, self.isIdle else { throw error }
            return try self.run(sql, encoded)
        }
    }

    /// BEGIN … COMMIT; ROLLBACK when the body throws. Nesting is a programming error.
    ///
    /// `.connection` or `.timeout` from COMMIT: whether it took place is unknown, and the caller must find out.
    package func transaction<T>(_ body: () throws -> T) throws -> T {
        precondition(self.isIdle || !self.isUsable, "a transaction inside a transaction")
        try self.execute("BEGIN")
        let value: T
        do {
            value = try body()
        } catch {
            self.rollback()
            throw error
        }
        // A transaction that an error has ended, with the error caught in the body, answers COMMIT with ROLLBACK.
        let result = try self.roundTrip(PQsendQuery(self.pointer, "COMMIT"))
        guard result.tag == "COMMIT" else {
            throw PostgresError(
                code: .server, sqlState: "25P02", detail: "the transaction had failed and was rolled back")
        }
        return value
    }

    /// Runs `body` with no time-out, neither the server's nor ours: for work that takes as long as it takes. A server that
    /// vanishes is still noticed, by TCP's keepalives.
    package func withoutTimeouts<T>(_ body: () throws -> T) throws -> T {
        let (limit, silence) = (self.statementTimeoutMilliseconds, self.silenceMillisecondsMax)
        try self.execute("SET statement_timeout = 0")
        self.silenceMillisecondsMax = -1
        let result = Result { try body() }
        self.silenceMillisecondsMax = silence
        if self.isIdle { try self.execute("SET statement_timeout = \(limit)") }
        return try result.get()
    }

    /// Whether it may be used further.
    package var isUsable: Bool { !self.isAbandoned && PQstatus(self.pointer) == CONNECTION_OK }

    /// Usable and outside of a transaction.
    package var isIdle: Bool { self.isUsable && PQtransactionStatus(self.pointer) == PQTRANS_IDLE }

    /// Looks, without waiting, whether the server has closed an idle connection. Hands on what notices have arrived.
    package func checkIdle() -> Bool {
        guard self.isIdle else { return false }
        var descriptor = pollfd(fd: PQsocket(self.pointer), events: Int16(POLLIN), revents: 0)
        // A server that shuts down says so before it closes: the end is behind that message.
        while poll(&descriptor, 1, 0) > 0 {
            guard PQconsumeInput(self.pointer) == 1, PQisBusy(self.pointer) == 0 else { return false }
        }
        return self.isUsable
    }

    /// For other threads: asks the server to cancel what runs.
    package func makeCanceller() -> PostgresCanceller { PostgresCanceller(self.pointer) }

    /// The server's process id, for logs and pg_terminate_backend.
    package var serverProcess: Int32 { PQbackendPID(self.pointer) }

    // MARK: Statements

    private func run(_ sql: String, _ parameters: PostgresParameters) throws(PostgresError) -> PostgresRows {
        let name = try self.prepare(Statement(sql: sql, types: parameters.types))
        let isSent = parameters.withArrays { values, lengths, formats in
            PQsendQueryPrepared(self.pointer, name, Int32(parameters.types.count), values, lengths, formats, 1)
        }
        do {
            return PostgresRows(try self.roundTrip(isSent))
        } catch {
            if error.isStalePlan { self.statements[Statement(sql: sql, types: parameters.types)] = nil }
            throw error
        }
    }

    /// The name of the prepared statement. The types belong to its identity, for the server fixes them when it parses.
    private func prepare(_ statement: Statement) throws(PostgresError) -> String {
        if let name = self.statements[statement] { return name }
        try self.requireText(statement.sql)
        if self.statements.count >= Self.preparedStatementsMax {
            try self.execute("DEALLOCATE ALL")
            self.statements = [:]
        }
        self.statementNumber += 1
        let name = "s\(self.statementNumber)"
        let count = Int32(statement.types.count)
        _ = try self.roundTrip(PQsendPrepare(self.pointer, name, statement.sql, count, statement.types))
        self.statements[statement] = name
        return name
    }

    private func rollback() {
        guard self.isUsable else { return }
        do { try self.execute("ROLLBACK") } catch { self.isAbandoned = true }
    }

    private func requireText(_ sql: String) throws(PostgresError) {
        if sql.utf8.contains(0) { throw PostgresError.nulInText }
    }
}

/// Keeps the closure at an address that libpq can hold.
private final class NoticeSink {
    let report: @Sendable (String) -> Void
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }
}

/// A NULL-terminated array of C strings, valid inside `body`.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
}
