import Glibc
import HTTPFrontEnd

/// One place for a connection: open or not, with the requests that are under way on it. Owned by one loop.
final class LoadConnection {
    struct Flight {
        /// When it was meant to be sent.
        var due: UInt64
        /// When it was handed to the connection.
        var sent: UInt64
        var request: Int
    }

    /// Of its server.
    let address: SocketAddress
    private(set) var descriptor: Int32 = -1
    /// Tells this connection's events from those of the one before in the same place.
    private(set) var generation: UInt32 = 0
    private var tls: TLSSession?
    private(set) var isHandshaking = false
    /// Whether the server took the connection: what was sent may have been read.
    private(set) var isConnected = false
    var scanner = AnswerScanner()
    /// What of the list's bytes is still to be sent.
    var unsent = 0..<0
    /// In order of sending; as long as the pipeline is deep.
    private(set) var flights: [Flight] = []
    /// After a failure no request is given to it before that time; 0: none is kept back.
    var restsUntil: UInt64 = 0
    /// Whether it stands in the loop's queue of connections with room.
    var isQueued = false

    var isOpen: Bool { self.descriptor >= 0 }

    init(to address: SocketAddress) { self.address = address }

    deinit { self.close() }

    func add(_ flight: Flight) { self.flights.append(flight) }
    func removeFirstFlight() -> Flight { self.flights.removeFirst() }
    func removeFlights() -> [Flight] {
        defer { self.flights.removeAll(keepingCapacity: true) }
        return self.flights
    }

    /// Takes a connecting socket over.
    func open(_ descriptor: Int32, _ tls: TLSSession?) {
        precondition(!self.isOpen, "it is open")
        self.descriptor = descriptor
        self.generation &+= 1
        self.tls = tls
        self.isHandshaking = tls != nil
        self.isConnected = false
        self.scanner = AnswerScanner()
        self.unsent = 0..<0
    }

    func close() {
        guard self.isOpen else { return }
        self.tls?.shutDown()
        self.tls = nil
        Glibc.close(self.descriptor)
        self.descriptor = -1
        self.unsent = 0..<0
    }

    /// Goes on with the handshake; whether it has failed.
    func handshakeFails() -> Bool {
        guard self.isHandshaking, let tls = self.tls else { return false }
        switch tls.handshake() {
        case .wouldBlock: return false
        case .failed: return true
        case .done:
            self.isHandshaking = false
            self.isConnected = true
            return false
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        if let tls = self.tls { return tls.write(bytes.baseAddress!, bytes.count) }
        while true {
            // On a socket that still connects it would block (connect(2) came back with EINPROGRESS).
            let count = Glibc.send(self.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                self.isConnected = true
                return .bytes(count)
            }
            if errno == EAGAIN { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    func receive(_ bytes: UnsafeMutableRawBufferPointer) -> IOResult {
        if let tls = self.tls { return tls.read(into: bytes.baseAddress!, max: bytes.count) }
        while true {
            let count = recv(self.descriptor, bytes.baseAddress, bytes.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    /// TLS may hold bytes that the socket no longer announces: it is read until it says so.
    var readsUntilBlocked: Bool { self.tls != nil }
}
