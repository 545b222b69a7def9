import MessageIDs
import Postgres

/// The day partitions that a connection's database is known to have, so that a batch asks only for new days.
struct PartitionDays {
    private var eventDays: Set<Int> = []
    private var messageDays: Set<Int> = []

    /// A message's day is made when it lies this near to its event's receipt. Links live 90 days by default; days beyond are
    /// odd clocks or imports, and a partition for each would let a sender fill the catalogue: the default partition has them.
    static let messageDaysBefore = 100
    static let messageDaysAfter = 4

    /// `now`, UNIX nanoseconds, stands for the receipt of a message without an event.
    mutating func ensure(for batch: LoadBatch, now: UInt64, on connection: PostgresConnection) throws(PostgresError) {
        var lastEventDay = Int.min
        var lastMessageDay = Int.min
        for loaded in batch.events {
            let eventDay = Int(loaded.receivedAt / 86_400_000_000)
            if eventDay != lastEventDay {
                lastEventDay = eventDay
                try self.ensureEventDay(eventDay, on: connection)
            }
            let messageDay = StoreTime(nanoseconds: loaded.event.message.sentAt).day
            guard messageDay != lastMessageDay else { continue }
            lastMessageDay = messageDay
            try self.ensureMessageDay(messageDay, near: eventDay, on: connection)
        }
        for loaded in batch.keyedEvents {
            try self.ensureEventDay(Int(loaded.receivedAt / 86_400_000_000), on: connection)
        }
        let today = StoreTime(nanoseconds: now).day
        for minted in batch.mintedMessages {
            let messageDay = StoreTime(nanoseconds: minted.message.sentAt).day
            try self.ensureMessageDay(messageDay, near: today, on: connection)
        }
    }

    mutating func ensureEventDay(_ day: Int, on connection: PostgresConnection) throws(PostgresError) {
        guard !self.eventDays.contains(day) else { return }
        _ = try Partitions.ensureEventDay(day, on: connection)
        self.eventDays.insert(day)
    }

    private mutating func ensureMessageDay(
        _ day: Int, near receiptDay: Int, on connection: PostgresConnection
    ) throws(PostgresError) {
        guard day >= receiptDay - Self.messageDaysBefore, day <= receiptDay + Self.messageDaysAfter,
            self.messageDays.insert(day).inserted
        else { return }
        // Busy is no failure: the default partition serves, and the next connection tries again.
        _ = try Partitions.ensureMessageDay(day, on: connection)
    }

    /// Cuts ascending keys where a message's day ends: a search for keys of one day looks into that day's partition alone,
    /// while one late key among many others would have each of them looked for in every partition between. Days for which
    /// no partition is made lie together. `now`: UNIX nanoseconds.
    static func runs(of keys: [MessageKey], now: UInt64) -> [Range<Int>] {
        let today = Int(now / 86_400_000_000_000)
        let days = today - Self.messageDaysBefore - 1...today + Self.messageDaysAfter + 1
        var runs: [Range<Int>] = []
        var begin = 0
        var runDay: Int?
        for (index, key) in keys.enumerated() {
            let day = min(max(Int(key.sentAtMilliseconds / 86_400_000), days.lowerBound), days.upperBound)
            if let ended = runDay, ended != day {
                runs.append(begin..<index)
                begin = index
            }
            runDay = day
        }
        if begin < keys.count { runs.append(begin..<keys.count) }
        return runs
    }
}
