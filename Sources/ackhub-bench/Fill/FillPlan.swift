import MessageIDs

/// Which events a fill puts into the store, each one told by its number alone.
///
/// Messages come in rounds, as many as the more frequent kind has events: `ack:3,open:1` are three messages that are acked, the
/// first of them also opened; `ack:1,open:3` three that are opened, the first of them also acked. Opens follow their
/// message's ack at a distance; messages are reported in the order of their sending, but for a jitter.
struct FillPlan: Sendable, Equatable {
    struct Event: Sendable, Equatable {
        var kind: EventKind
        /// Number of its message, from 0 in the order of sending.
        var message: Int
        /// Whether the fill acks the message, too; of an ack, true.
        var isAcked: Bool
    }

    static let eventsLimit = 1_000_000_000
    static let launchesLimit = 1_000_000
    /// Messages by which opens come behind the acks: some seconds at the rates that a hub loads.
    private static let openDelayMessages = 150_000
    /// Messages among which the order of sending is lost, for devices answer after seconds; a power of two.
    private static let jitterMessages = 1 << 17
    /// A link is hit again so many events after its first hit: in another batch of the loader.
    private static let repeatDelay = 50_000

    let mix: KindMix
    let rounds: Int
    let launches: Int
    /// Of a hundred events, how many are hit a second time.
    let repeatPercent: Int
    private let openDelayRounds: Int

    /// At least so many events beside the repeats: the last round is a whole one.
    init(events: Int, mix: KindMix, launches: Int, repeatPercent: Int) {
        precondition(mix.acks >= 0 && mix.opens >= 0 && mix.acks + mix.opens > 0, "no kind of event")
        precondition(events > 0 && launches > 0 && (0...100).contains(repeatPercent))
        self.mix = mix
        self.rounds = (events + mix.acks + mix.opens - 1) / (mix.acks + mix.opens)
        self.launches = launches
        self.repeatPercent = repeatPercent
        let delay = Self.openDelayMessages / max(mix.acks, mix.opens)
        self.openDelayRounds = mix.acks == 0 || mix.opens == 0 ? 0 : min(delay, self.rounds)
    }

    /// Events without repeats.
    var eventCount: Int { self.rounds * (self.mix.acks + self.mix.opens) }
    /// Events that are put in, repeats included.
    var recordCount: Int { self.eventCount + self.repeats(before: self.eventCount) }
    var messageCount: Int { self.rounds * self.messagesPerRound }
    private var messagesPerRound: Int { max(self.mix.acks, self.mix.opens) }

    /// The event of that number, from 0, without its repeat: first acks alone, then acks and opens in turn, at last the
    /// opens that are left.
    func event(_ number: Int) -> Event {
        let head = self.openDelayRounds * self.mix.acks
        if number < head { return self.ack(round: number / self.mix.acks, number % self.mix.acks) }
        let roundEvents = self.mix.acks + self.mix.opens
        let middle = (self.rounds - self.openDelayRounds) * roundEvents
        guard number - head < middle else {
            let (round, place) = (number - head - middle).quotientAndRemainder(dividingBy: self.mix.opens)
            return self.open(round: self.rounds - self.openDelayRounds + round, place)
        }
        let (round, place) = (number - head).quotientAndRemainder(dividingBy: roundEvents)
        return place < self.mix.acks
            ? self.ack(round: self.openDelayRounds + round, place) : self.open(round: round, place - self.mix.acks)
    }

    /// The numbers of the events to be put in at step `number`, from 0: its own, and the one that is repeated then.
    ///
    /// - Parameter number: below `stepCount`.
    func step(_ number: Int) -> (first: Int?, again: Int?) {
        let earlier = number - Self.repeatDelay
        let isRepeated = earlier >= 0 && self.repeats(before: earlier + 1) > self.repeats(before: earlier)
        return (number < self.eventCount ? number : nil, isRepeated ? earlier : nil)
    }

    var stepCount: Int { self.eventCount + (self.repeatPercent > 0 ? Self.repeatDelay : 0) }

    private func repeats(before number: Int) -> Int { number * self.repeatPercent / 100 }

    private func ack(round: Int, _ place: Int) -> Event {
        Event(kind: .ack, message: self.jittered(round * self.messagesPerRound + place), isAcked: true)
    }

    private func open(round: Int, _ place: Int) -> Event {
        Event(
            kind: .open, message: self.jittered(round * self.messagesPerRound + place),
            isAcked: place < self.mix.acks)
    }

    /// A place of its own for each within its block: an odd factor has an inverse modulo a power of two.
    private func jittered(_ message: Int) -> Int {
        let begin = message & ~(Self.jitterMessages - 1)
        guard begin + Self.jitterMessages <= self.messageCount else { return message }
        return begin + ((message - begin) * 12_289 + 77) & (Self.jitterMessages - 1)
    }
}
