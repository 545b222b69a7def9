extension HTTPLoop {
    /// Goes on with the handshake; then the first head.
    func handshake(_ connection: ConnectionPointer) -> Bool {
        guard let tls = connection.pointee.tls else { preconditionFailure("a handshake has a session") }
        switch tls.handshake() {
        case .done:
            connection.pointee.phase = .head
            connection.pointee.timeout = .none
            return true
        case .wouldBlock:
            return false
        case .failed:
            self.counters.handshakeFailures.add()
            self.abort(connection)
            return false
        }
    }
}
