/// Names one request on one connection of one loop; stale ones are ignored.
///
/// The low half is the connection's slot, the high half counts the exchanges of that slot.
package struct HTTPExchangeID: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    init(slot: UInt32, sequence: UInt32) { self.rawValue = UInt64(sequence) << 32 | UInt64(slot) }

    var slot: UInt32 { UInt32(truncatingIfNeeded: self.rawValue) }
    var sequence: UInt32 { UInt32(truncatingIfNeeded: self.rawValue >> 32) }
}
