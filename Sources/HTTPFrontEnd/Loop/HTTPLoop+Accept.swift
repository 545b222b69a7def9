import CLinux
import Glibc

extension HTTPLoop {
    /// How long accepting rests when the process is out of descriptors or memory.
    private static var acceptingRestMilliseconds: UInt64 { 100 }
    /// Connections over the limit that are told so at a time; more are closed without a word.
    private static var refusalsMax: Int { 64 }

    func watchListeners() {
        // Level-triggered: what is not accepted this turn is reported again.
        for (index, listener) in self.listeners.enumerated() {
            _ = clinux_epoll_add_level(self.epoll, listener, EventTag(listener: index).rawValue)
        }
        self.acceptingResumes = nil
    }

    /// Accepts up to `max` connections; returns whether none waits any more.
    @discardableResult
    func accept(from listener: Int32, max: Int) -> Bool {
        for _ in 0..<max {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    clinux_accept_nonblocking(listener, $0, &length)
                }
            }
            guard descriptor < 0 else {
                self.open(descriptor, peer: SocketAddress(storage) ?? SocketAddress(v4: 0, port: 0))
                continue
            }
            switch errno {
            case EAGAIN: return true
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                self.restAccepting()
                return true
            default:
                // The connection died in the queue (accept(2) passes its network errors on): the next one may be well.
                continue
            }
        }
        return false
    }

    /// The listener would be reported for ever while nothing can be accepted.
    private func restAccepting() {
        self.counters.countRejection(.descriptors)
        guard self.acceptingResumes == nil, !self.listeners.isEmpty else { return }
        for listener in self.listeners { _ = clinux_epoll_remove(self.epoll, listener) }
        self.acceptingResumes = self.clock.now + Self.acceptingRestMilliseconds
    }

    private func open(_ descriptor: Int32, peer: SocketAddress) {
        self.counters.connectionsAccepted.add()
        if self.shared.addConnection() > self.limits.connectionsMax {
            self.refuse(descriptor)
            return
        }
        let connection = self.slab.take()
        self.counters.connectionsOpen.add()
        connection.pointee.descriptor = descriptor
        connection.pointee.peer = peer
        connection.pointee.phase = .head
        // A client speaks first, so its request is often here already.
        connection.pointee.isReadable = true
        if let tls = self.shared.tlsContext {
            guard let session = tls.makeSession(descriptor) else {
                self.abort(connection)
                return
            }
            connection.pointee.tls = session
            connection.pointee.phase = .handshake
        }
        self.advance(connection)
    }

    /// One connection too many: 503 where that costs little.
    private func refuse(_ descriptor: Int32) {
        self.counters.connectionsRefused.add()
        self.counters.countRejection(.connections)
        guard self.shared.tlsContext == nil, self.lingeringCount < Self.refusalsMax else {
            self.shared.removeConnection()
            Glibc.close(descriptor)
            return
        }
        let connection = self.slab.take()
        self.counters.connectionsOpen.add()
        connection.pointee.descriptor = descriptor
        connection.pointee.phase = .head
        connection.pointee.isReadable = true
        self.answerRejection(connection, .connections)
        self.advance(connection)
    }
}
