import CLinux
import Glibc
import Synchronization

/// One event loop, as its handler sees it: a thread, an epoll queue, the connections that it accepted.
///
/// `wake` and `post` may be called from any thread; everything else belongs to the loop's thread.
// Sendable unchecked: all variables are touched by the loop's thread only, but for the inbox (its own lock) and the
// counters (atomics); before `start` and after the join the server's thread owns them.
package final class HTTPLoop: @unchecked Sendable {
    package let index: Int

    let limits: HTTPLimits
    let shared: ServerShared
    let counters = LoopCounters()
    let wakeSignal: WakeSignal
    let inbox = Mutex<[EndpointExchange]>([])

    let epoll: Int32
    var listeners: [Int32]
    private let events: UnsafeMutableBufferPointer<epoll_event>
    var handler: (any HTTPLoopHandler)?

    // Without the run-time's checks for overlapping access, which cost more than what they would guard: the loop's thread
    // alone is here, and none of these types calls out while it changes.
    @exclusivity(unchecked) var slab = ConnectionSlab()
    @exclusivity(unchecked) var timers: TimerWheel
    @exclusivity(unchecked) var pool = BlockPool()
    /// The head of the request being dispatched; its table of fields is used again and again. At an address, so that the
    /// handler borrows it without a copy.
    let head: UnsafeMutablePointer<HTTPRequestHead>
    /// Connections that have more to do without waiting for an event.
    @exclusivity(unchecked) var queue: [QueuedConnection] = []
    @exclusivity(unchecked) var clock: LoopClock

    var isDraining = false
    var isFinished = false
    /// Out of descriptors: accepting rests until then.
    var acceptingResumes: UInt64?
    /// Connections in `lingering`: not waited for by `stop`.
    var lingeringCount = 0

    /// Takes over the listening sockets.
    init(index: Int, limits: HTTPLimits, shared: ServerShared, listeners: [Int32]) throws(HTTPServerError) {
        self.index = index
        self.limits = limits
        self.shared = shared
        self.listeners = listeners
        self.clock = LoopClock()
        self.timers = TimerWheel(now: self.clock.now)
        self.events = .allocate(capacity: 512)
        self.head = .allocate(capacity: 1)
        self.head.initialize(to: HTTPRequestHead())
        self.epoll = clinux_epoll_create()
        guard let wakeSignal = WakeSignal(), self.epoll >= 0 else {
            throw HTTPServerError(code: .system, detail: "no event queue: errno \(errno)")
        }
        self.wakeSignal = wakeSignal
        _ = clinux_epoll_add_edge(self.epoll, wakeSignal.descriptor, EventTag.wake)
    }

    deinit {
        for listener in self.listeners { Glibc.close(listener) }
        if self.epoll >= 0 { Glibc.close(self.epoll) }
        self.events.deallocate()
        self.head.deinitialize(count: 1)
        self.head.deallocate()
        self.pool.releaseAll()
        self.slab.releaseAll()
        self.clock.release()
    }

    /// From any thread: makes the loop call `woken` soon. Cheap when one is pending already.
    package func wake() { self.wakeSignal.call(.handler) }

    /// From any thread: the exchange has something for the loop.
    func post(_ exchange: EndpointExchange) {
        self.inbox.withLock { $0.append(exchange) }
        self.wakeSignal.call(.inbox)
    }

    /// The loop's life, on its own thread.
    func run(_ makeHandler: (HTTPLoop) -> any HTTPLoopHandler) {
        self.handler = makeHandler(self)
        self.watchListeners()
        while !self.isFinished { self.turn() }
        self.handler = nil
        // What is left there holds its loop: a circle.
        self.inbox.withLock { $0.removeAll() }
    }

    /// One turn: events, then the handler's group, then what others left, then time.
    private func turn() {
        let count = self.wait()
        let calls = self.wakeSignal.takeCalls()
        self.clock.update()
        for index in 0..<count {
            self.take(self.events[index].events, EventTag(rawValue: self.events[index].data.u64))
        }
        self.runQueue()
        if calls.contains(.inbox) { self.takeInbox() }
        self.handler?.turnEnded(self)
        let lateCalls = self.wakeSignal.takeCalls()
        if calls.union(lateCalls).contains(.handler) { self.handler?.woken(self) }
        // Not taken now: the next request of such a connection would be behind the handler's `turnEnded`.
        if lateCalls.contains(.inbox) { self.wakeSignal.call(.inbox) }
        self.expireTimers()
        self.followServer()
    }

    private func wait() -> Int {
        var timeout = self.queue.isEmpty ? self.sleepMilliseconds() : 0
        if !self.wakeSignal.prepareToSleep() { timeout = 0 }
        guard let base = self.events.baseAddress else { return 0 }
        // An interrupted wait is an empty one.
        return max(0, Int(epoll_wait(self.epoll, base, Int32(self.events.count), Int32(timeout))))
    }

    /// Until the next thing that time brings; -1 = for ever.
    private func sleepMilliseconds() -> Int {
        var delay = self.timers.delay(now: self.clock.now) ?? Int.max
        if let resumes = self.acceptingResumes { delay = min(delay, Int(resumes &- min(resumes, self.clock.now))) }
        if self.isDraining, let deadline = self.shared.stopDeadline {
            delay = min(delay, Int(deadline &- min(deadline, self.clock.now)))
        }
        return delay == .max ? -1 : min(delay, 60_000)
    }

    private func take(_ events: UInt32, _ tag: EventTag) {
        if tag.rawValue == EventTag.wake { return }
        if let listener = tag.listener {
            if listener < self.listeners.count { self.accept(from: self.listeners[listener], max: 64) }
            return
        }
        // An event of a connection that an earlier event of this turn closed is stale.
        guard let connection = self.slab[tag.slot], connection.pointee.generation == tag.generation else { return }
        if events & clinux_gone != 0 {
            self.abort(connection)
            return
        }
        if events & (clinux_readable | clinux_peer_ended) != 0 { connection.pointee.isReadable = true }
        if events & clinux_peer_ended != 0 { connection.pointee.peerEnded = true }
        if events & clinux_writable != 0 { connection.pointee.isWritable = true }
        if !connection.pointee.isQueued { self.advance(connection) }
    }

    private func runQueue() {
        guard !self.queue.isEmpty else { return }
        let queue = self.queue
        self.queue.removeAll(keepingCapacity: true)
        for entry in queue {
            guard let connection = self.slab[entry.slot], connection.pointee.generation == entry.generation else {
                continue
            }
            connection.pointee.isQueued = false
            self.advance(connection)
        }
    }

    /// Gives the connection another go before the loop sleeps.
    func enqueue(_ connection: ConnectionPointer) {
        guard !connection.pointee.isQueued else { return }
        connection.pointee.isQueued = true
        self.queue.append(QueuedConnection(slot: connection.pointee.slot, generation: connection.pointee.generation))
    }
}

/// A connection that waits for its turn; the generation tells when it closed meanwhile.
struct QueuedConnection {
    let slot: UInt32
    let generation: UInt32
}
