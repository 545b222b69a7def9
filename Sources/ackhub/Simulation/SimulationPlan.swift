import Glibc
import HubLinks
import MessageIDs

/// What a launch's devices will do: made from a seed alone, so that a run can be repeated.
///
/// Pure: no clock, no network.
struct SimulationPlan: Sendable, Equatable {
    let messages: [PlannedMessage]
    let batches: [PlannedBatch]
    /// By time.
    let hits: [PlannedHit]

    /// How often things happen: shares from 0 to 1.
    private enum Share {
        static let acked = 0.90
        static let openedOfAcked = 0.25
        static let openedOfOthers = 0.15
        static let openBeforeAck = 0.05
        static let ackRepeated = 0.05
        static let openRepeated = 0.10
        static let burst = 0.03
        static let lost = 0.02
        static let abandoned = 0.005
        static let imageProxy = 0.02
        static let post = 0.10
        static let image = 0.05
        static let repaired = 0.10
        static let damaged = 0.04
        static let head = 0.03
        static let options = 0.01
        static let prefetch = 0.03
        static let bot = 0.03
        static let test = 0.02
        static let privacy = 0.06
        static let hexStyle = 0.25
    }

    /// Delays in seconds of real life: their medians and the spread of their logarithms.
    private enum Delay {
        static let ack = (median: 2.5, sigma: 1.6)
        static let open = (median: 420.0, sigma: 1.8)
        static let again = (median: 30.0, sigma: 2.0)
        /// The run's end stands for this: a day.
        static let longest = 86_400.0
    }

    private static let batchMessagesMax = 1_000

    init(messages count: Int, seconds: Double, providers: [Provider], seed: UInt64) {
        precondition(count > 0 && !providers.isEmpty)
        var random = SimulationRandom(seed: seed)
        self.batches = Self.batches(count)
        self.messages = Self.messages(in: self.batches, providers: providers, random: &random)
        var hits: [PlannedHit] = []
        for index in self.messages.indices {
            Self.addHits(of: index, style: self.messages[index].style, seconds: seconds, to: &hits, random: &random)
        }
        // By number where times are equal: the standard library does not promise that its sort is stable.
        self.hits = hits.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// About twenty requests, of both forms in turn.
    private static func batches(_ count: Int) -> [PlannedBatch] {
        let size = min(Self.batchMessagesMax, max(1, count / 20))
        return stride(from: 0, to: count, by: size).enumerated().map { number, start in
            PlannedBatch(messages: start..<min(start + size, count), isStreamed: number % 2 == 0)
        }
    }

    private static func messages(
        in batches: [PlannedBatch], providers: [Provider], random: inout SimulationRandom
    ) -> [PlannedMessage] {
        var messages: [PlannedMessage] = []
        for batch in batches {
            var draw = self.draw(providers, &random)
            for index in batch.messages {
                if batch.isStreamed { draw = self.draw(providers, &random) }
                draw.profile = self.profile(index, &random)
                draw.subscription = Int64(index) + 1
                messages.append(draw)
            }
        }
        return messages
    }

    private static func draw(_ providers: [Provider], _ random: inout SimulationRandom) -> PlannedMessage {
        PlannedMessage(
            provider: random.pick(providers), profile: ProfileID(0), subscription: 0,
            style: random.chance(Share.hexStyle) ? .cryptoPostEvents : .path,
            privacy: random.chance(Share.privacy)
                ? random.pick([.maskAddress, .dropAddress, .anonymous]) : .keepAddress,
            isTest: random.chance(Share.test))
    }

    /// Database keys mostly, and ids of 96 and 128 bits.
    private static func profile(_ index: Int, _ random: inout SimulationRandom) -> ProfileID {
        let wide = UInt128(random.next()) << 64 | UInt128(random.next())
        switch index % 8 {
        case 6: return ProfileID(wide >> 32)
        case 7: return ProfileID(wide)
        default: return ProfileID(UInt128(index) + 1)
        }
    }

    private static func addHits(
        of message: Int, style: LinkStyle, seconds: Double, to hits: inout [PlannedHit], random: inout SimulationRandom
    ) {
        func squeezed(_ delay: Double) -> Double {
            seconds * min(1, log(1 + delay) / log(1 + Delay.longest))
        }
        let isAcked = random.chance(Share.acked)
        let isOpened = random.chance(isAcked ? Share.openedOfAcked : Share.openedOfOthers)
        var ack = random.logNormal(median: Delay.ack.median, sigma: Delay.ack.sigma)
        var open = ack + random.logNormal(median: Delay.open.median, sigma: Delay.open.sigma)
        if isAcked && isOpened && random.chance(Share.openBeforeAck) { swap(&ack, &open) }
        if isAcked {
            var delay = ack
            let again = random.chance(Share.ackRepeated) ? Int.random(in: 1...3, using: &random) : 0
            for _ in 0...again {
                hits.append(self.deviceHit(.ack, message, style, at: squeezed(delay), &random))
                delay += random.logNormal(median: Delay.again.median, sigma: Delay.again.sigma)
            }
        }
        if isOpened {
            var delay = open
            let again = random.chance(Share.openRepeated) ? Int.random(in: 1...4, using: &random) : 0
            let burst = random.chance(Share.burst) ? Int.random(in: 4...20, using: &random) : 0
            for number in 0...(again + burst) {
                hits.append(self.deviceHit(.open, message, style, at: squeezed(delay), &random))
                // The hits of a burst come at one instant, over as many connections as there are.
                if number >= burst { delay += random.logNormal(median: Delay.again.median, sigma: Delay.again.sigma) }
            }
        }
        self.addOddities(of: message, style, at: { squeezed(Delay.longest * $0) }, to: &hits, &random)
    }

    /// A hit by a device: counted.
    private static func deviceHit(
        _ kind: EventKind, _ message: Int, _ style: LinkStyle, at: Double, _ random: inout SimulationRandom
    ) -> PlannedHit {
        var hit = PlannedHit(
            at: at, message: message, kind: kind, request: .get, caller: .device, answer: .read)
        if random.chance(Share.post) {
            hit.request = .post
        } else if random.chance(Share.image) {
            hit.request = .image
        } else if random.chance(Share.repaired) {
            hit.request = .repaired(random.pick(LinkRepair.possible(for: style)))
        }
        if kind == .open && random.chance(Share.imageProxy) { hit.caller = .imageProxy }
        if random.chance(Share.lost) {
            hit.answer = .lost
        } else if random.chance(Share.abandoned) {
            hit.answer = .abandoned
        }
        return hit
    }

    /// What must not count: damaged links, HEAD, OPTIONS; and what is stored but opens nothing: prefetches and bots.
    private static func addOddities(
        of message: Int, _ style: LinkStyle, at time: (Double) -> Double, to hits: inout [PlannedHit],
        _ random: inout SimulationRandom
    ) {
        func add(_ request: PlannedHit.Request, _ caller: PlannedHit.Caller = .device, kind: EventKind? = nil) {
            hits.append(
                PlannedHit(
                    at: time(random.unit() * random.unit() * random.unit()), message: message,
                    kind: kind ?? random.pick([.ack, .open]), request: request,
                    caller: caller, answer: .read))
        }
        if random.chance(Share.damaged) { add(.damaged(random.pick(LinkFault.possible(for: style)))) }
        if random.chance(Share.head) { add(.head) }
        if random.chance(Share.options) { add(.options) }
        if random.chance(Share.prefetch) {
            add(.get, .prefetch(Int.random(in: 0..<Callers.prefetchFields.count, using: &random)), kind: .open)
        }
        if random.chance(Share.bot) {
            add(.get, .bot(Int.random(in: 0..<Callers.bots.count, using: &random)), kind: .open)
        }
    }
}
