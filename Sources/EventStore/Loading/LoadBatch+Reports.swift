import MessageIDs

extension LoadBatch {
    /// Marks the events whose report the batch holds already. Before `group`.
    mutating func markOwnRepeats() {
        guard self.hasReports else { return }
        var seen: Set<ReportName> = []
        for place in self.events.indices {
            guard let name = self.events[place].reportName, !seen.insert(name).inserted else { continue }
            self.markRepeat(place)
        }
    }

    /// Places in `events` of those whose report may be stored. `changes` are in the order of `messages`.
    ///
    /// Where the batch brings a message's first ack, no ack is stored: nothing to look for, in most batches for most events.
    /// Of opens that can't be said, for those of classes that do not count leave no trace in the message's row.
    func reportsToFind(_ changes: [MessageChange]) -> [Int] {
        var places: [Int] = []
        var next = 0
        for (number, message) in self.messages.enumerated() {
            var hasFirstAck = false
            if next < changes.count, changes[next].message == number {
                hasFirstAck = changes[next].isFirstAck
                next += 1
            }
            for place in self.order[message.run] {
                let event = self.events[place].event
                if event.report != nil, event.kind == .open || !hasFirstAck { places.append(place) }
            }
        }
        return places
    }

    /// Whether a repeat was taken for its message's first open.
    func hasRepeatAsFirst(_ changes: [MessageChange]) -> Bool {
        changes.contains { change in
            guard change.isFirstOpen, let open = self.messages[change.message].open else { return false }
            return self.events[open].isRepeat
        }
    }
}
