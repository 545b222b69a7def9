import HTTPFrontEnd

/// The places of a field's lines, in order: a proxy may add its hop as a line of its own.
struct ForwardedLines {
    static let countMax = 8
    private var ranges: InlineArray<8, Range<Int>> = .init(repeating: 0..<0)
    private(set) var count = 0

    init() {}

    /// The lines of the field of that lower-case name.
    init(_ name: StaticString, of head: borrowing HTTPRequestHead, _ bytes: RawSpan) {
        var lines = ForwardedLines()
        head.forEachHeader { field, value in
            if bytes.equalsLowercased(field, name) { lines.append(value) }
        }
        self = lines
    }

    /// Beyond the limit the oldest goes: hops are read from the right.
    mutating func append(_ range: Range<Int>) {
        if self.count == Self.countMax {
            for index in 1..<Self.countMax { self.ranges[index - 1] = self.ranges[index] }
            self.count -= 1
        }
        self.ranges[self.count] = range
        self.count += 1
    }

    subscript(_ index: Int) -> Range<Int> { self.ranges[index] }
}
