extension HTTPLoop {
    /// A group's answer comes within a few.
    private static var unwatchedMilliseconds: Int { 100 }

    /// Sets the deadline for what the connection waits for now. One that runs for the same thing goes on running: it counts
    /// from when that began, so a peer that drips bytes gains nothing.
    func arm(_ connection: ConnectionPointer) {
        let wanted = self.wantedTimeout(connection)
        guard wanted != connection.pointee.timeout else { return }
        connection.pointee.timeout = wanted
        let deadline = self.milliseconds(of: wanted).map { self.clock.now + UInt64($0) } ?? .max
        self.timers.set(connection, deadline: deadline)
    }

    private func wantedTimeout(_ connection: ConnectionPointer) -> Connection.Timeout {
        let writes = !connection.pointee.output.isEmpty
        return switch connection.pointee.phase {
        case .free: .none
        case .handshake: .handshake
        case .head:
            if writes {
                .write
            } else if !connection.pointee.isIdle {
                .header
            } else {
                connection.pointee.requests == 0 ? .first : .idle
            }
        case .waiting:
            if !connection.pointee.bodyEnded { .body } else { connection.pointee.isRegistered ? .none : .unwatched }
        case .endpoint:
            if writes { .write } else { self.awaitsBody(connection) ? .body : .none }
        case .dropping: writes ? .write : .body
        case .closing: .write
        case .lingering: .linger
        }
    }

    private func milliseconds(of timeout: Connection.Timeout) -> Int? {
        switch timeout {
        case .none: nil
        case .first: min(self.limits.headerTimeoutMilliseconds, self.limits.idleTimeoutMilliseconds)
        case .idle: self.limits.idleTimeoutMilliseconds
        case .header: self.limits.headerTimeoutMilliseconds
        case .body: self.limits.bodyTimeoutMilliseconds
        case .write: self.limits.writeTimeoutMilliseconds
        case .handshake: self.limits.handshakeTimeoutMilliseconds
        case .linger: self.limits.lingerTimeoutMilliseconds
        case .unwatched: Self.unwatchedMilliseconds
        }
    }

    func expireTimers() {
        while let connection = self.timers.nextDue(now: self.clock.now) { self.expire(connection) }
        if let resumes = self.acceptingResumes, resumes <= self.clock.now { self.watchListeners() }
    }

    private func expire(_ connection: ConnectionPointer) {
        let timeout = connection.pointee.timeout
        connection.pointee.timeout = .none
        switch timeout {
        case .none:
            self.arm(connection)
        case .header:
            self.reject(connection, .headerTimeout)
            self.advance(connection)
        case .body:
            self.expireBody(connection)
            self.advance(connection)
        case .first, .idle:
            self.counters.countRejection(.idleTimeout)
            self.close(connection)
        case .write:
            self.counters.countRejection(.writeTimeout)
            self.abort(connection)
        case .handshake:
            self.counters.countRejection(.handshakeTimeout)
            self.counters.handshakeFailures.add()
            self.abort(connection)
        case .linger:
            self.close(connection)
        case .unwatched:
            if self.register(connection) { self.arm(connection) }
        }
    }

    private func expireBody(_ connection: ConnectionPointer) {
        switch connection.pointee.phase {
        case .endpoint:
            self.counters.countRejection(.bodyTimeout)
            self.failBody(connection, .timeout)
        case .dropping:
            self.counters.countRejection(.bodyTimeout)
            self.endExchange(connection, keepsAlive: false, lingers: true)
        default:
            self.reject(connection, .bodyTimeout)
        }
    }
}
