import CPostgres
import Glibc

/// Waiting for the server without ever blocking inside libpq.
extension PostgresConnection {
    /// Gathers all results of what was sent: the last one, or the first error once the server is ready again.
    func roundTrip(_ send: @autoclosure () -> Int32) throws(PostgresError) -> PostgresResult {
        try self.send(send())
        return try self.lastResult()
    }

    /// The same for what has been sent already.
    func lastResult() throws(PostgresError) -> PostgresResult {
        var last: PostgresResult?
        var failure: PostgresError?
        while let result = try self.nextResult() {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = result
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                self.isAbandoned = true
                throw PostgresError(code: .type, detail: "COPY is for copyIn and copyOut")
            default: failure = failure ?? PostgresError(result: result.pointer)
            }
        }
        if var failure {
            // A server that goes away says so first (57P01 and its kind); for the caller the connection is lost.
            if !self.isUsable { failure.code = .connection }
            throw failure
        }
        guard let last else { throw self.abandon(.connection) }
        return last
    }

    /// Makes a libpq call that queues a message and returns 1, unless the connection has been given up.
    func send(_ call: @autoclosure () -> Int32) throws(PostgresError) {
        guard !self.isAbandoned else {
            throw PostgresError(code: .connection, detail: "the connection was given up after an earlier error")
        }
        guard call() == 1 else { throw self.abandon(.connection) }
    }

    /// The next result of what runs, nil after the last.
    func nextResult() throws(PostgresError) -> PostgresResult? {
        while true {
            let unsent = PQflush(self.pointer)
            guard unsent >= 0, PQisBusy(self.pointer) == 1 else { break }
            try self.wait(writing: unsent == 1)
            // A lost connection is a result, too: PQgetResult makes one of it.
            guard PQconsumeInput(self.pointer) == 1 else { break }
        }
        return PQgetResult(self.pointer).map(PostgresResult.init)
    }

    /// Sends what libpq has buffered, and takes what arrives meanwhile, so that neither side waits for the other.
    func flush() throws(PostgresError) {
        while true {
            switch PQflush(self.pointer) {
            case 0: return
            case 1: try self.wait(writing: true)
            default: throw self.abandon(.connection)
            }
            guard PQconsumeInput(self.pointer) == 1 else { throw self.abandon(.connection) }
        }
    }

    /// Waits for the socket, at most for the longest silence.
    func wait(writing: Bool) throws(PostgresError) {
        // poll would ignore the -1 of a closed socket and wait in vain.
        guard PQsocket(self.pointer) >= 0 else { throw self.abandon(.connection) }
        var descriptor = pollfd(fd: PQsocket(self.pointer), events: Int16(POLLIN), revents: 0)
        if writing { descriptor.events |= Int16(POLLOUT) }
        let limit = Duration.milliseconds(self.silenceMillisecondsMax)
        let start = ContinuousClock.now
        var rest = self.silenceMillisecondsMax
        while true {
            let count = poll(&descriptor, 1, rest)
            if count > 0 { return }
            guard count == -1 && errno == EINTR else { break }
            guard self.silenceMillisecondsMax >= 0 else { continue }
            let left = limit - start.duration(to: .now)
            rest = Int32(max(left / .milliseconds(1), 0))
        }
        self.isAbandoned = true
        throw PostgresError(
            code: .timeout, detail: "no answer from the server for \(self.silenceMillisecondsMax) ms")
    }

    /// Gives the connection up, with libpq's reason.
    func abandon(_ code: PostgresError.Code) -> PostgresError {
        self.isAbandoned = true
        return PostgresError(code, connection: self.pointer)
    }
}
