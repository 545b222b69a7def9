/// A byte offset in the spool's whole life; grows for ever, never restarts.
package struct SpoolPosition: Hashable, Comparable, Sendable {
    package var offset: UInt64

    package init(offset: UInt64) { self.offset = offset }

    package static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
}
