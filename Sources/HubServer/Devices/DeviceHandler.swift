import EventSpool
import EventStore
import Glibc
import HTTPFrontEnd
import HubLinks
import MessageIDs

/// The path of a hit: parse → decrypt → classify → spool append → (group commit) → answer.
///
/// One a loop; every call comes on that loop's thread, so nothing here is shared, locked or, once warm, allocated. What an
/// exchange waits for is the group's sync: `turnEnded` submits the turn's records as one group, `woken` answers what has
/// become durable.
final class DeviceHandler: HTTPLoopHandler {
    /// Hits of one loop that may wait for a sync at a time; more are refused with 503 (reason `waiting`).
    static let waitingMax = 65_536
    /// A send time further ahead of the hub's clock than this is flagged.
    static let sentAheadNanoseconds: UInt64 = 300_000_000_000

    private let path: DevicePath
    private let counters: DeviceCounters
    private let responses = DeviceResponses()
    private let endpoint: HTTPEndpoint
    private let userAgents = UserAgentTable()
    private let appender: SpoolAppender

    // Without the run-time's checks for overlapping access, 80 instructions each: the loop's thread alone is here, and
    // nothing that is called while one of these changes calls back.

    /// nil only while no ring could be opened: then every link is refused as unavailable.
    @exclusivity(unchecked) private var opener: LinkOpener?
    private var rulesVersion: UInt64 = 0
    private var linkTTLNanoseconds: UInt64 = 0
    @exclusivity(unchecked) private var proxies = ForwardedChain(trusted: [])

    @exclusivity(unchecked) private var bursts = BurstDetector()
    @exclusivity(unchecked) private var waiting = ExchangeQueue()

    /// Both clocks are read once a turn: hits of one turn arrived together.
    private var isTurnTimed = false
    private var turnTime: UInt64 = 0
    private var turnMonotonic: UInt64 = 0

    init(_ path: DevicePath, _ loop: HTTPLoop, _ counters: DeviceCounters) {
        self.path = path
        self.counters = counters
        let router = path.router
        self.endpoint = { request, body, writer in await router.respond(request, body, writer) }
        self.appender = path.spool.makeAppender { loop.wake() }
        self.takeRules()
    }

    func receive(
        _ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID
    ) -> HTTPReply {
        if self.path.rules.version != self.rulesVersion { self.takeRules() }
        guard let opener = self.opener else { return .now(self.responses.refused) }
        switch opener.read(target: bytes.extracting(head.target)) {
        case .notALink:
            return self.path.state.isDraining ? .now(self.responses.draining) : .endpoint(self.endpoint)
        case .damaged(let damage):
            if let response = self.answer(toMethod: head.method) { return .now(response) }
            self.counters.countDamaged(damage)
            return .now(self.responses.notFound)
        case .message(let kind, let message):
            if let response = self.answer(toMethod: head.method) { return .now(response) }
            return self.hit(kind, message, opener, head, bytes, peer: peer, exchange: exchange)
        }
    }

    /// nil for the methods that are about the link itself.
    private func answer(toMethod method: HTTPMethod) -> HTTPResponse? {
        switch method {
        case .get, .post, .head: nil
        case .options: self.responses.preflight
        default: self.responses.methodNotAllowed
        }
    }

    /// The answers of groups that became durable, or were refused, since the last call.
    func woken(_ loop: HTTPLoop) {
        self.counters.countWake()
        guard self.waiting.count > 0 else { return }
        let now = Self.monotonicTime()
        self.appender.takeResults { count, refusal in
            for _ in 0..<count { self.complete(loop, refusal, at: now) }
        }
        self.counters.setWaiting(self.waiting.count)
    }

    func turnEnded(_ loop: HTTPLoop) {
        self.isTurnTimed = false
        if let (count, refusal) = self.appender.submit() {
            // This turn's own hits, the last in the queue: those before them still wait for the disk.
            for _ in 0..<count { self.refuse(loop, self.waiting.removeLast(), refusal) }
        }
        self.counters.setWaiting(self.waiting.count)
    }

    private func complete(_ loop: HTTPLoop, _ refusal: SpoolRefusal?, at now: UInt64) {
        let hit = self.waiting.removeFirst()
        if let refusal {
            self.refuse(loop, hit, refusal)
            return
        }
        self.counters.countHit(hit, latency: now &- hit.since)
        if hit.wantsImage {
            loop.complete(hit.exchange, self.responses.image)
        } else {
            loop.complete(hit.exchange, self.responses.hit)
        }
    }

    private func refuse(_ loop: HTTPLoop, _ hit: WaitingHit, _ refusal: SpoolRefusal) {
        self.counters.countRefused(DeviceCounters.Refusal(refusal))
        loop.complete(hit.exchange, self.responses.refused)
    }

    // MARK: An authentic link

    private func hit(
        _ kind: EventKind, _ message: SendMessageID, _ opener: borrowing LinkOpener, _ head: borrowing HTTPRequestHead,
        _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID
    ) -> HTTPReply {
        if !self.isTurnTimed { self.timeTurn() }
        let now = self.turnTime
        if now > message.sentAt, now - message.sentAt > self.linkTTLNanoseconds {
            self.counters.countExpired(kind)
            return .now(self.responses.gone)
        }
        let facts = RequestFacts(head, bytes)
        let wantsImage = opener.wantsImage || ImagePreference.isWanted(bytes, facts.accept)
        if case .head = head.method {
            self.counters.countHeadIgnored()
            return .now(wantsImage ? self.responses.image : self.responses.hit)
        }
        if self.path.state.isDraining {
            self.counters.countRefused(.draining)
            return .now(self.responses.draining)
        }
        guard self.waiting.count < Self.waitingMax else {
            self.counters.countRefused(.waiting)
            return .now(self.responses.refused)
        }
        let client = self.proxies.client(peer: IPAddress(peer), head, bytes)
        let eventClass = self.classify(kind, message, facts, bytes, client: client)
        let isRepaired = opener.wasRepaired
        self.append(kind, message, facts, bytes, client: client, eventClass: eventClass, isRepaired: isRepaired)
        self.waiting.append(
            WaitingHit(
                exchange: exchange, since: self.turnMonotonic, kind: kind, eventClass: eventClass,
                wantsImage: wantsImage))
        return .later
    }

    /// Fields first, then user agents; bursts are looked for in opens only, since nothing classes an ack away (T17).
    private func classify(
        _ kind: EventKind, _ message: borrowing SendMessageID, _ facts: borrowing RequestFacts, _ bytes: RawSpan,
        client: IPAddress
    ) -> EventClass {
        if facts.isPrefetch { return .prefetch }
        if facts.userAgent.isEmpty { return .human }
        if let known = self.userAgents.find(bytes, facts.userAgent) { return known }
        guard kind == .open else { return .human }
        let isBurst = self.bursts.isBurst(
            address: client, userAgent: facts.userAgent, bytes, message: message, now: self.turnMonotonic)
        return isBurst ? .suspect : .human
    }

    private func append(
        _ kind: EventKind, _ message: SendMessageID, _ facts: borrowing RequestFacts, _ bytes: RawSpan,
        client: IPAddress, eventClass: EventClass, isRepaired: Bool
    ) {
        // An empty literal would be made by generic code of another module.
        var flags = EventFlags(rawValue: 0)
        if message.sentAt > self.turnTime, message.sentAt - self.turnTime > Self.sentAheadNanoseconds {
            flags.rawValue |= EventFlags.sentAhead.rawValue
            self.counters.countSentAhead()
        }
        if isRepaired { flags.rawValue |= EventFlags.repairedLink.rawValue }
        let address = client.kept(by: message.privacy)
        let userAgent = bytes.extracting(message.privacy.keepsUserAgent ? facts.userAgent : 0..<0)
        let event = Event(
            kind: kind, message: message, receivedAt: self.turnTime, dialect: .link, eventClass: eventClass,
            flags: flags,
            addressLength: address.length, address: address.value)
        self.appender.append(bytesMax: Event.recordBytesMax) { event.writeRecord(userAgent: userAgent, to: $0) }
    }

    // MARK: Rules and time

    /// Takes the present rules. A ring that can't be opened leaves the old one in place: SIGHUP has tried it before.
    private func takeRules() {
        let (version, ruleSet) = self.path.rules.present
        self.rulesVersion = version
        self.linkTTLNanoseconds = ruleSet.linkTTLNanoseconds
        self.proxies = ForwardedChain(trusted: ruleSet.trustedProxies)
        do {
            self.opener = try LinkOpener(keyRing: ruleSet.keyRing)
        } catch {
            self.path.log.writeLimited(
                key: "link-opener", .error, "a loop can't open the key ring", [("error", "\(error)")])
        }
    }

    private func timeTurn() {
        self.turnTime = self.path.now()
        self.turnMonotonic = Self.monotonicTime()
        self.isTurnTimed = true
    }

    private static func monotonicTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
