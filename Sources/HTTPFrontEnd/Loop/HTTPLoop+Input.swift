import Glibc

/// What a read or write on a non-blocking socket came to.
package enum IOResult {
    case bytes(Int)
    case wouldBlock
    /// The peer sends no more.
    case ended
    case failed
}

extension HTTPLoop {
    /// Room that a read asks for at least.
    private static var readBytesMin: Int { 2_048 }

    /// Reads once into the input. False when nothing came: not now, never again, or the connection is closed now.
    func fill(_ connection: ConnectionPointer) -> Bool {
        guard connection.pointee.isReadable else { return false }
        if connection.pointee.input.capacity == 0 {
            connection.pointee.input = self.pool.borrow()
        } else if connection.pointee.input.room < Self.readBytesMin {
            connection.pointee.input.reserve(Self.readBytesMin)
        }
        let room = connection.pointee.input.room
        switch self.receive(connection) {
        case .bytes(let count):
            self.counters.bytesReceived.add(count)
            connection.pointee.input.filled(count)
            // A short read of a stream means that all was read (epoll(7)), but for the end of the stream, and for TLS,
            // where records are read one by one.
            if count < room, !connection.pointee.peerEnded, connection.pointee.tls == nil {
                connection.pointee.isReadable = false
            }
            return true
        case .wouldBlock:
            connection.pointee.isReadable = false
        case .ended:
            connection.pointee.isReadable = false
            connection.pointee.inputEnded = true
        case .failed:
            self.abort(connection)
        }
        return false
    }

    private func receive(_ connection: ConnectionPointer) -> IOResult {
        let input = connection.pointee.input
        if let tls = connection.pointee.tls { return tls.read(into: input.free, max: input.room) }
        while true {
            let count = recv(connection.pointee.descriptor, input.free, input.room, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            let reason = errno
            if reason == EINTR { continue }
            return reason == EAGAIN ? .wouldBlock : .failed
        }
    }

    func send(_ connection: ConnectionPointer) -> IOResult {
        let bytes = connection.pointee.output.bytes
        guard let start = bytes.baseAddress else { return .bytes(0) }
        if let tls = connection.pointee.tls { return tls.write(start, bytes.count) }
        while true {
            let count = Glibc.send(connection.pointee.descriptor, start, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            let reason = errno
            if reason == EINTR { continue }
            return reason == EAGAIN ? .wouldBlock : .failed
        }
    }
}
