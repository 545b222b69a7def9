/// The way back from the writer to one appender: outcomes in order, and the groups to be used again.
final class SpoolOutbox: Sendable {
    struct Outcome: Sendable {
        var count: Int
        var refusal: SpoolRefusal?
    }

    struct Content: Sendable {
        var outcomes: [Outcome] = []
        var spares: [RecordGroup] = []
    }

    private let content = Monitor(Content())
    let wake: @Sendable () -> Void

    /// More idle groups than this go back to the allocator.
    static let sparesMax = 4

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// True when the appender must be woken: what it was woken for before, it has taken.
    func deliver(_ group: RecordGroup, _ refusal: SpoolRefusal?) -> Bool {
        let outcome = Outcome(count: group.records, refusal: refusal)
        group.removeAll()
        return self.content.withLock { content in
            content.outcomes.append(outcome)
            if content.spares.count < Self.sparesMax { content.spares.append(group) }
            return content.outcomes.count == 1
        }
    }

    /// Takes what has come, leaving the caller's emptied arrays (and their memory) for the next outcomes.
    func exchange(_ other: inout Content) {
        other.outcomes.removeAll(keepingCapacity: true)
        other.spares.removeAll(keepingCapacity: true)
        self.content.withLock { content in swap(&content, &other) }
    }
}
