import CLinux
import CommandLineOptions
import Glibc
import HTTPFrontEnd

/// One thread's client: an epoll loop over its connections that sends the prepared requests and times the answers.
///
/// No lock, no allocation and no Foundation on the way of a request. Made on one thread, run on another, looked at by the
/// first again when that one has ended.
final class LoadLoop: @unchecked Sendable {
    let plan: LoadPlan
    let window: LoadWindow
    private let schedule: SendSchedule?
    private let requestsMax: Int
    var cursor: RequestCursor
    let connections: [LoadConnection]
    private let tls: ClientTLS?
    private let epoll: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    let input: UnsafeMutableRawBufferPointer

    /// Read once a turn and after each read.
    var now: UInt64 = 0
    /// Connections with room for a request, the one that has waited longest first: a ring.
    private var queue: [Int32]
    private var queueStart = 0
    private var queueCount = 0
    private var scheduled: UInt64 = 0
    private var underWay = 0
    private var sweepAt: UInt64 = 0
    var tally = LoadTally()

    private static let eventsMax = 256
    private static let inputBytes = 65_536
    private static let sweepNanoseconds: UInt64 = 50_000_000
    /// How long a connection stays out after a failure, so that a dead server is not hammered.
    private static let restNanoseconds: UInt64 = 50_000_000

    /// - Parameters:
    ///   - thread: its number; the threads share connections, requests and rate evenly.
    ///   - list: of all threads, with a request for each at least.
    init(
        _ plan: LoadPlan, _ window: LoadWindow, thread: Int, list: RequestList
    ) throws(CommandError) {
        self.plan = plan
        self.window = window
        self.schedule = plan.rate.map {
            SendSchedule(
                start: window.start, requestsPerSecond: UInt64($0), thread: UInt64(thread),
                threadCount: UInt64(plan.threads))
        }
        self.requestsMax = plan.share(of: plan.requestsMax, thread: thread).count
        self.cursor = RequestCursor(list, share: plan.share(of: list.count, thread: thread))
        self.connections = plan.share(of: plan.connections, thread: thread).map {
            LoadConnection(to: plan.url(ofConnection: $0).address)
        }
        self.queue = Array(repeating: 0, count: self.connections.count)
        self.tls = plan.url.isTLS ? try ClientTLS(plan.url, verifies: plan.verifiesTLS) : nil
        self.epoll = clinux_epoll_create()
        guard self.epoll >= 0 else { throw CommandError("no epoll: \(String(cString: strerror(errno)))") }
        self.events = .allocate(capacity: Self.eventsMax)
        self.input = .allocate(byteCount: Self.inputBytes, alignment: 16)
    }

    deinit {
        close(self.epoll)
        self.events.deallocate()
        self.input.deallocate()
    }

    /// Returns when everything is sent and answered or given up.
    func run() {
        // The default of 50 µs would make every request of an open loop that much late.
        clinux_set_timer_slack(1)
        for slot in self.connections.indices { self.enqueue(slot) }
        while true {
            self.now = MonotonicClock.now()
            if self.now >= self.sweepAt { self.sweep() }
            self.dispatch()
            if self.isOver { break }
            let count = Int(clinux_epoll_wait(self.epoll, self.events.baseAddress, Int32(Self.eventsMax), self.pause))
            self.now = MonotonicClock.now()
            for index in 0..<max(0, count) {
                let event = self.events[index]
                self.handle(tag: event.data.u64, event.events)
            }
        }
        self.end()
    }

    // MARK: What is due

    /// When the next request is due, if it is now.
    private func due() -> UInt64? {
        guard self.tally.sent < self.requestsMax else { return nil }
        guard let schedule = self.schedule else { return self.now < self.window.end ? self.now : nil }
        let time = schedule.time(of: self.scheduled)
        return time <= self.now && time < self.window.end ? time : nil
    }

    private var isAllSent: Bool {
        if self.tally.sent >= self.requestsMax { return true }
        return (self.schedule?.time(of: self.scheduled) ?? self.now) >= self.window.end
    }

    private var isOver: Bool {
        self.now >= self.window.drainEnd || (self.underWay == 0 && self.isAllSent)
    }

    /// Nanoseconds until there is something to do that no socket tells.
    private var pause: Int64 {
        var until = self.sweepAt
        if self.queueCount > 0, !self.isAllSent, let schedule = self.schedule {
            until = min(until, schedule.time(of: self.scheduled))
        }
        let now = MonotonicClock.now()
        return until > now ? Int64(until - now) : 0
    }

    /// Gives what is due to the connections with room.
    private func dispatch() {
        while self.queueCount > 0, let due = self.due() {
            let slot = self.dequeue()
            self.give(slot, due)
            // A closed loop fills its pipeline; an open one spreads its requests.
            if self.schedule == nil {
                while self.canExtend(slot), let due = self.due() { self.give(slot, due) }
            }
            self.flush(slot)
            self.enqueue(slot)
        }
    }

    /// Whether the next request follows in memory what the connection has to send.
    private func canExtend(_ slot: Int) -> Bool {
        let connection = self.connections[slot]
        return connection.isOpen && connection.flights.count < self.plan.pipeline
            && connection.unsent.upperBound == self.cursor.nextStart
    }

    private func give(_ slot: Int, _ due: UInt64) {
        let connection = self.connections[slot]
        let request = self.cursor.take()
        self.tally.sent += 1
        self.scheduled += 1
        self.underWay += 1
        connection.add(LoadConnection.Flight(due: due, sent: self.now, request: request))
        guard connection.isOpen || self.open(slot) else { return self.fail(slot, .connect) }
        let bytes = self.cursor.bytes(of: request)
        connection.unsent = connection.unsent.isEmpty ? bytes : connection.unsent.lowerBound..<bytes.upperBound
    }

    // MARK: Connections

    /// Begins to connect; false when the system refuses at once.
    private func open(_ slot: Int) -> Bool {
        let connection = self.connections[slot]
        let descriptor = clinux_tcp_socket(connection.address.family)
        guard descriptor >= 0 else { return false }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let result = connection.address.withSystemAddress { connect(descriptor, $0, $1) }
        let isConnecting = result == 0 || errno == EINPROGRESS
        let session = self.tls?.makeSession(descriptor)
        guard isConnecting, (session == nil) == (self.tls == nil) else {
            close(descriptor)
            return false
        }
        connection.open(descriptor, session)
        self.tally.connectionsOpened += 1
        let tag = UInt64(connection.generation) << 32 | UInt64(slot)
        return clinux_epoll_add_edge(self.epoll, descriptor, tag) == 0
    }

    /// Puts a connection with room for a request behind the others.
    func enqueue(_ slot: Int) {
        let connection = self.connections[slot]
        guard !connection.isQueued, connection.restsUntil == 0, connection.unsent.isEmpty,
            connection.flights.count < self.plan.pipeline
        else { return }
        connection.isQueued = true
        self.queue[(self.queueStart + self.queueCount) % self.queue.count] = Int32(slot)
        self.queueCount += 1
    }

    private func dequeue() -> Int {
        let slot = Int(self.queue[self.queueStart])
        self.queueStart = (self.queueStart + 1) % self.queue.count
        self.queueCount -= 1
        self.connections[slot].isQueued = false
        return slot
    }

    private func handle(tag: UInt64, _ events: UInt32) {
        let slot = Int(UInt32(truncatingIfNeeded: tag))
        let connection = self.connections[slot]
        guard connection.isOpen, connection.generation == UInt32(tag >> 32) else { return }
        if connection.isHandshaking || !connection.unsent.isEmpty { self.flush(slot) }
        if connection.isOpen, !connection.isHandshaking, events & ~clinux_writable != 0 {
            self.read(slot, untilEnd: events & (clinux_peer_ended | clinux_gone) != 0)
        }
        self.enqueue(slot)
        self.dispatch()
    }

    func flush(_ slot: Int) {
        let connection = self.connections[slot]
        if connection.handshakeFails() { return self.fail(slot, .tls) }
        guard !connection.isHandshaking else { return }
        while !connection.unsent.isEmpty {
            let unsent = connection.unsent
            let result = self.cursor.list.bytes.withUnsafeBytes {
                connection.send(UnsafeRawBufferPointer(rebasing: $0[unsent]))
            }
            switch result {
            case .bytes(let count): connection.unsent = (unsent.lowerBound + count)..<unsent.upperBound
            case .wouldBlock: return
            case .ended, .failed: return self.fail(slot, connection.isConnected ? .reset : .connect)
            }
        }
    }

    // MARK: Ends

    /// A request was answered.
    func answered(_ flight: LoadConnection.Flight, status: Int) {
        self.underWay -= 1
        self.tally.statuses[status] += 1
        self.tally.lastAnswer = self.now
        if self.window.measured.contains(self.now) { self.tally.answersMeasured += 1 }
        self.time(flight)
        if 200..<300 ~= status { self.cursor.succeeded(flight.request, &self.tally.kinds) }
    }

    private func time(_ flight: LoadConnection.Flight) {
        guard self.window.measured.contains(flight.due) else { return }
        self.tally.latency.record(self.now - flight.due)
        self.tally.lateness.record(flight.sent - flight.due)
    }

    /// Closes a connection; what was under way on it has failed.
    func fail(_ slot: Int, _ failure: LoadFailure) {
        let connection = self.connections[slot]
        let wasConnected = connection.isConnected && connection.isOpen
        connection.close()
        connection.restsUntil = self.now + Self.restNanoseconds
        for flight in connection.removeFlights() {
            self.underWay -= 1
            self.tally.failures[failure.rawValue] += 1
            // To leave out those that took longest would flatter: they count with the time that they had.
            if failure == .timeout { self.time(flight) }
            if wasConnected { self.cursor.becameUnknown(flight.request, &self.tally.kinds) }
        }
    }

    /// Ends connections whose answer is overdue, and rests that are over.
    private func sweep() {
        self.sweepAt = self.now + Self.sweepNanoseconds
        for (slot, connection) in self.connections.enumerated() {
            if connection.restsUntil != 0, connection.restsUntil <= self.now {
                connection.restsUntil = 0
                self.enqueue(slot)
            }
            if let first = connection.flights.first, first.sent + self.plan.timeoutNanoseconds <= self.now {
                self.fail(slot, .timeout)
            }
        }
    }

    private func end() {
        for (slot, connection) in self.connections.enumerated() {
            if !connection.flights.isEmpty { self.fail(slot, .timeout) }
            connection.close()
        }
        if let schedule = self.schedule {
            // Due, but never sent: they count with the time that they have waited.
            while self.tally.sent + self.tally.unsent < self.requestsMax {
                let time = schedule.time(of: self.scheduled)
                guard time < self.window.end else { break }
                self.tally.unsent += 1
                self.scheduled += 1
                if self.window.measured.contains(time) { self.tally.latency.record(self.now - time) }
            }
        }
        self.tally.repeats = max(0, self.tally.sent - self.cursor.count)
    }
}
