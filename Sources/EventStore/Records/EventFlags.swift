/// What else is to be known of an event; stored with it as a bit set.
package struct EventFlags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The send time lies more than 5 minutes ahead of the hub's clock.
    package static let sentAhead = EventFlags(rawValue: 1)
    /// The device's time was out of bounds and replaced by the receipt time.
    package static let deviceTimeClamped = EventFlags(rawValue: 2)
    /// The link carried appended or repaired characters.
    package static let repairedLink = EventFlags(rawValue: 4)

    static let all: EventFlags = [.sentAhead, .deviceTimeClamped, .repairedLink]
}
