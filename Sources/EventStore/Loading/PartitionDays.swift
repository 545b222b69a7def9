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

    mutating func ensure(for batch: LoadBatch, on connection: PostgresConnection) throws(PostgresError) {
        var lastEventDay = Int.min
        var lastMessageDay = Int.min
        for loaded in batch.events {
            let eventDay = Int(loaded.receivedAt / 86_400_000_000)
            if eventDay != lastEventDay {
                lastEventDay = eventDay
                if !self.eventDays.contains(eventDay) {
                    _ = try Partitions.ensureEventDay(eventDay, on: connection)
                    self.eventDays.insert(eventDay)
                }
            }
            let messageDay = StoreTime(nanoseconds: loaded.event.message.sentAt).day
            guard messageDay != lastMessageDay else { continue }
            lastMessageDay = messageDay
            guard messageDay >= eventDay - Self.messageDaysBefore, messageDay <= eventDay + Self.messageDaysAfter,
                self.messageDays.insert(messageDay).inserted
            else { continue }
            // Busy is no failure: the default partition serves, and the next connection tries again.
            _ = try Partitions.ensureMessageDay(messageDay, on: connection)
        }
    }
}
