import CLinux

extension HTTPLoop {
    /// Steps of one connection in one turn: then the others come first.
    private static var stepsMax: Int { 128 }
    /// Bytes of responses that wait for the peer; more requests are not read until it takes them.
    static var outputBytesMax: Int { 64 << 10 }

    /// Takes a connection as far as it can go now: until it must wait for the peer, the handler or an endpoint.
    func advance(_ connection: ConnectionPointer) {
        connection.pointee.isAdvancing = true
        var steps = 0
        while self.step(connection) {
            steps += 1
            if steps == Self.stepsMax {
                self.enqueue(connection)
                break
            }
        }
        guard connection.pointee.phase != .free else { return }
        connection.pointee.isAdvancing = false
        self.settle(connection)
    }

    /// One step; false when there is nothing to do now. May close the connection.
    private func step(_ connection: ConnectionPointer) -> Bool {
        switch connection.pointee.phase {
        case .free: false
        case .head: self.readHead(connection)
        case .waiting: self.readDroppedBody(connection)
        case .endpoint: self.pump(connection)
        case .dropping: self.dropBody(connection)
        case .closing: self.finishClosing(connection)
        case .handshake: self.handshake(connection)
        case .lingering: self.linger(connection)
        }
    }

    /// Ends a connection's turn: sends, gives memory back, waits for the right thing.
    func settle(_ connection: ConnectionPointer) {
        guard self.flush(connection) else { return }
        self.pool.settle(&connection.pointee.input)
        self.pool.settle(&connection.pointee.output)
        // Not before it waits for its peer: one that is answered by its first group and closed needs no registration.
        if !connection.pointee.isRegistered, !connection.pointee.awaitsOnlyAnswer {
            guard self.register(connection) else { return }
        }
        self.arm(connection)
    }

    /// False when the connection is closed now.
    func register(_ connection: ConnectionPointer) -> Bool {
        connection.pointee.isRegistered = true
        let tag = EventTag(slot: connection.pointee.slot, generation: connection.pointee.generation)
        if clinux_epoll_add_edge(self.epoll, connection.pointee.descriptor, tag.rawValue) == 0 { return true }
        self.abort(connection)
        return false
    }

    private func readHead(_ connection: ConnectionPointer) -> Bool {
        if connection.pointee.output.count > Self.outputBytesMax {
            guard self.flush(connection) else { return false }
            guard connection.pointee.output.isEmpty else {
                self.counters.outputPauses.add()
                return false
            }
        }
        while true {
            if connection.pointee.input.count > Int(connection.pointee.scanner.offset) {
                switch connection.pointee.scanner.scan(connection.pointee.input.bytes.bytes, limits: self.limits) {
                case .complete:
                    self.dispatch(connection)
                    return true
                case .rejected(let reason):
                    self.reject(connection, reason)
                    return true
                case .incomplete:
                    break
                }
            }
            guard self.fill(connection) else { break }
        }
        guard connection.pointee.phase == .head, connection.pointee.inputEnded else { return false }
        // The end of the stream between requests is how a client leaves; within a head, nobody can be answered.
        if connection.pointee.scanner.hasBegun { self.counters.countRejection(.truncated) }
        connection.pointee.phase = .closing
        return true
    }

    private func readDroppedBody(_ connection: ConnectionPointer) -> Bool {
        guard !connection.pointee.bodyEnded else {
            guard let response = connection.pointee.response else { return false }
            self.respond(connection, response)
            return true
        }
        switch self.nextBodyPart(connection) {
        case .data(let range, let consumed):
            connection.pointee.input.take(consumed)
            connection.pointee.droppedBytes += range.count
            self.noteBodyProgress(connection, range.count)
            if connection.pointee.droppedBytes > self.limits.bodyBytesMax { self.reject(connection, .body) }
            return true
        case .end(let consumed):
            connection.pointee.input.take(consumed)
            connection.pointee.bodyEnded = true
            return true
        case .rejected(let reason):
            self.reject(connection, reason)
            return true
        case .needsMore:
            return self.fillBody(connection)
        }
    }

    /// Drops what is left of a body whose response is on its way, to keep the connection; not for ever.
    private func dropBody(_ connection: ConnectionPointer) -> Bool {
        let left = self.limits.unreadBodyBytesMax - connection.pointee.droppedBytes
        let part = self.nextBodyPart(connection)
        switch part {
        case .data(let range, let consumed):
            connection.pointee.input.take(consumed)
            connection.pointee.droppedBytes += range.count
            self.noteBodyProgress(connection, range.count)
            if range.count > left || (connection.pointee.body.remainingBytes ?? 0) > left {
                self.endExchange(connection, keepsAlive: false, lingers: true)
            }
            return true
        case .end(let consumed):
            connection.pointee.input.take(consumed)
            self.endExchange(connection, keepsAlive: connection.pointee.keepsAlive)
            return true
        case .rejected(let reason):
            // Its response is given already: all that can be done is to close.
            self.counters.countRejection(reason)
            self.endExchange(connection, keepsAlive: false, lingers: true)
            return true
        case .needsMore:
            return self.fillBody(connection)
        }
    }

    /// The next part of the request's body in what was read; the caller takes it off the input.
    func nextBodyPart(_ connection: ConnectionPointer) -> ChunkDecoder.Step {
        let step = connection.pointee.body.step(
            connection.pointee.input.bytes.bytes, from: 0, trailerBytesMax: self.limits.trailerBytesMax)
        if step == .needsMore { connection.pointee.input.take(connection.pointee.input.count) }
        return step
    }

    /// Reads more of a body; a stream that ends within it ends the exchange, there is nobody to answer.
    func fillBody(_ connection: ConnectionPointer) -> Bool {
        if self.fill(connection) { return true }
        guard connection.pointee.phase != .free, connection.pointee.inputEnded else { return false }
        self.counters.countRejection(.truncated)
        self.abort(connection)
        return false
    }

    /// A body that moves on fast enough has its time-out renewed.
    func noteBodyProgress(_ connection: ConnectionPointer, _ count: Int) {
        connection.pointee.bodyProgress += count
        guard connection.pointee.bodyProgress >= self.limits.bodyProgressBytesMin else { return }
        connection.pointee.bodyProgress = 0
        if connection.pointee.timeout == .body { connection.pointee.timeout = .none }
    }
}
