/// Where one field stands in its head: offsets from the head's first byte. 16 bytes, so that a head stays small.
struct HTTPField: Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(self.nameStart)..<Int(self.nameEnd) }
    /// Without the white space around it.
    var value: Range<Int> { Int(self.valueStart)..<Int(self.valueEnd) }
}
