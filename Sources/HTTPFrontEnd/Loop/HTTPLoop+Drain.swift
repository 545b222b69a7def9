import Glibc

extension HTTPLoop {
    /// Does what the server asks for: to drain, to stop.
    func followServer() {
        if self.shared.isDraining, !self.isDraining { self.beginDraining() }
        guard self.isDraining, let deadline = self.shared.stopDeadline else { return }
        let busy = Int(self.counters.connectionsOpen.value) - self.lingeringCount
        guard busy == 0 || deadline <= self.clock.now else { return }
        // A copy: closing changes the slab.
        let slab = self.slab
        slab.forEachOpen { self.abort($0) }
        self.isFinished = true
    }

    /// Closes the listeners and the idle connections; the rest are told to close with their next answer.
    private func beginDraining() {
        self.isDraining = true
        // With SO_REUSEPORT a closing listener takes its queue along, and those clients would see a reset: take them first.
        for listener in self.listeners {
            self.accept(from: listener, max: Int.max)
            Glibc.close(listener)
        }
        self.listeners.removeAll()
        self.acceptingResumes = nil
        let slab = self.slab
        slab.forEachOpen { connection in
            // A request may be here that no event told of yet.
            connection.pointee.isReadable = true
            self.advance(connection)
            guard connection.pointee.phase != .free else { return }
            if connection.pointee.isIdle, connection.pointee.requests > 0 {
                self.close(connection)
            } else if connection.pointee.timeout == .first || connection.pointee.timeout == .handshake {
                self.timers.set(connection, deadline: self.clock.now + UInt64(self.limits.drainGraceMilliseconds))
            }
        }
        // What the handler was given meanwhile is behind its `turnEnded`: one more turn.
        self.wakeSignal.call(.inbox)
    }
}
