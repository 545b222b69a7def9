import Glibc

extension HTTPLoop {
    /// The last response goes out; then the end, slowly where unread data would turn it into a reset (RFC 9112 9.6).
    func finishClosing(_ connection: ConnectionPointer) -> Bool {
        guard self.flush(connection), connection.pointee.output.isEmpty else { return false }
        let hasUnread = !connection.pointee.input.isEmpty || connection.pointee.isReadable
        guard connection.pointee.lingers || hasUnread, !connection.pointee.inputEnded else {
            self.close(connection)
            return false
        }
        connection.pointee.tls?.shutDown()
        shutdown(connection.pointee.descriptor, Int32(SHUT_WR))
        connection.pointee.phase = .lingering
        connection.pointee.droppedBytes = 0
        connection.pointee.timeout = .none
        self.lingeringCount += 1
        return true
    }

    /// Reads what still comes until the peer has seen the end, or had its time.
    func linger(_ connection: ConnectionPointer) -> Bool {
        connection.pointee.droppedBytes += connection.pointee.input.count
        connection.pointee.input.take(connection.pointee.input.count)
        if connection.pointee.inputEnded || connection.pointee.droppedBytes > self.limits.lingerBytesMax {
            self.close(connection)
            return false
        }
        return self.fill(connection) || connection.pointee.inputEnded
    }

    /// The client is gone or not to be spoken to: whoever works for it is told.
    func abort(_ connection: ConnectionPointer) {
        connection.pointee.endpoint?.disconnect()
        self.close(connection)
    }

    /// Closes the socket and frees the slot; stale ids and events are recognised by their counts.
    func close(_ connection: ConnectionPointer) {
        guard connection.pointee.phase != .free else { return }
        if connection.pointee.phase == .lingering { self.lingeringCount -= 1 }
        connection.pointee.tls?.shutDown()
        self.timers.remove(connection)
        // Its registration goes with the descriptor.
        Glibc.close(connection.pointee.descriptor)
        connection.pointee.input.take(connection.pointee.input.count)
        connection.pointee.output.take(connection.pointee.output.count)
        self.pool.settle(&connection.pointee.input)
        self.pool.settle(&connection.pointee.output)
        self.slab.give(connection)
        self.shared.removeConnection()
        self.counters.connectionsOpen.subtract()
        // A descriptor is free again.
        if self.acceptingResumes != nil { self.watchListeners() }
    }
}
