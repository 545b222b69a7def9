import HTTPFrontEnd

// From bytes to answers.
extension LoadLoop {
    /// Reads what is there. `untilEnd`: the peer has closed or broken the connection, so the end must be read too.
    func read(_ slot: Int, untilEnd: Bool) {
        let connection = self.connections[slot]
        let generation = connection.generation
        while connection.isOpen, connection.generation == generation {
            switch connection.receive(self.input) {
            case .bytes(let count):
                self.now = MonotonicClock.now()
                self.scan(slot, UnsafeRawBufferPointer(rebasing: self.input[..<count]))
                // Edge-triggered: what comes after a short read is announced anew.
                if count < self.input.count && !untilEnd && !connection.readsUntilBlocked { return }
            case .wouldBlock: return
            case .ended: return self.ended(slot)
            case .failed: return self.fail(slot, connection.isConnected ? .reset : .connect)
            }
        }
    }

    private func scan(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        let connection = self.connections[slot]
        var offset = 0
        while connection.isOpen {
            switch connection.scanner.next(bytes, &offset) {
            case .partial: return
            case .malformed: self.fail(slot, .malformed)
            case .answer(let status, let keepsAlive):
                // An answer that nobody asked for.
                guard !connection.flights.isEmpty else { return self.fail(slot, .malformed) }
                self.answered(connection.removeFirstFlight(), status: status)
                if !keepsAlive || self.plan.newConnections { self.retire(slot) }
            }
        }
    }

    /// The peer sends no more.
    private func ended(_ slot: Int) {
        let connection = self.connections[slot]
        switch connection.scanner.end() {
        case .answer(let status, _) where !connection.flights.isEmpty:
            self.answered(connection.removeFirstFlight(), status: status)
            self.retire(slot)
        case .malformed, .answer: self.fail(slot, .closed)
        case .partial: self.retire(slot)
        }
    }

    /// Closes a connection as it was agreed; requests that were pipelined behind the last answer have failed.
    private func retire(_ slot: Int) {
        let connection = self.connections[slot]
        if connection.flights.isEmpty { connection.close() } else { self.fail(slot, .closed) }
    }
}
