/// One connection's state: a record in the loop's slab, touched by the loop's thread only. Never copied: its place is what
/// it is.
struct Connection: ~Copyable {
    enum Phase: UInt8 {
        /// The slot is free.
        case free
        /// TLS is being set up.
        case handshake
        /// Between requests, or a head is coming in.
        case head
        /// An exchange of `.now` or `.later`: the body is read and dropped, the answer is waited for.
        case waiting
        /// An endpoint's task has the exchange.
        case endpoint
        /// The exchange is over but for an unread body, which is dropped to save the connection.
        case dropping
        /// The last response goes out, then the connection closes.
        case closing
        /// The sending side is shut; what the peer still sends is read, so that no reset overtakes the response.
        case lingering
    }

    /// What the deadline is for.
    enum Timeout: UInt8 {
        /// Nothing is waited for from the peer; or the deadline is to be set anew.
        case none
        /// A new connection's first byte.
        case first
        case idle, header, body, write, handshake, linger
        /// The first answer takes long: from then on the peer is watched, which may leave.
        case unwatched
    }

    var descriptor: Int32 = -1
    let slot: UInt32
    /// Counts the slot's connections: an event for an earlier one is stale.
    var generation: UInt32 = 0
    /// Counts the slot's exchanges; the present one's, or the last one's.
    var sequence: UInt32 = 0
    var phase = Phase.free
    var timeout = Timeout.none

    // What epoll said, edge by edge, and what reads and writes found since.
    var isRegistered = false
    var isReadable = false
    var isWritable = true
    /// The peer shut its sending side: a short read no longer means that all was read.
    var peerEnded = false
    /// All that the peer sent was read, and its end too.
    var inputEnded = false
    /// Inside `advance`: a completion is noted and picked up there.
    var isAdvancing = false
    /// Waits in the loop's list for another turn.
    var isQueued = false

    // The present exchange.
    var isHead = false
    var isVersion10 = false
    var keepsAlive = false
    /// The peer waits for 100 before it sends the body.
    var awaitsContinue = false
    /// The body's end was read.
    var bodyEnded = true
    /// Data that the peer still sends, or sent unread, would turn a plain close into a reset.
    var lingers = false
    /// The streamed response is in chunks.
    var isChunking = false
    /// The streamed response has no body on the wire.
    var hidesBody = false

    var requests: UInt32 = 0
    var input = ByteQueue()
    var output = ByteQueue()
    var scanner = HeadScanner()
    var body = BodyDecoder.none
    /// Body bytes read and dropped.
    var droppedBytes = 0
    /// Body bytes since the time-out was renewed.
    var bodyProgress = 0
    /// The answer, while the body is still coming in.
    var response: HTTPResponse?
    var endpoint: EndpointExchange?
    var tls: TLSSession?

    var peer = SocketAddress(v4: 0, port: 0)

    /// When the time-out strikes, in the loop's milliseconds; `.max` = never.
    var deadline = UInt64.max
    // The timer wheel's links.
    var wheelTick = UInt64.max
    var wheelNext: ConnectionPointer?
    var wheelPrevious: ConnectionPointer?

    init(slot: UInt32) { self.slot = slot }

    var exchange: HTTPExchangeID { HTTPExchangeID(slot: self.slot, sequence: self.sequence) }

    /// The whole request is here; what comes next is its answer.
    var awaitsOnlyAnswer: Bool { self.phase == .waiting && self.bodyEnded && self.output.isEmpty }

    /// Between requests, nothing begun.
    var isIdle: Bool { self.phase == .head && self.output.isEmpty && !self.scanner.hasBegun }

    /// Makes the slot ready for another connection; the counts of generations and exchanges go on.
    mutating func reset() {
        let generation = self.generation &+ 1
        let sequence = self.sequence &+ 1
        self = Connection(slot: self.slot)
        self.generation = generation
        self.sequence = sequence
    }
}

/// A connection's place in its loop's slab; valid as long as the loop.
typealias ConnectionPointer = UnsafeMutablePointer<Connection>
