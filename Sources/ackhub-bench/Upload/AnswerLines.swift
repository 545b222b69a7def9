/// Counts the lines of an NDJSON answer as its bytes come, and those that refuse theirs: `{"error": …`.
struct AnswerLines: Sendable, Equatable {
    private(set) var answered = 0
    private(set) var refused = 0
    /// How the line that is not over begins.
    private var beginning: [UInt8] = []

    private static let refusal = Array(#"{"error""#.utf8)

    var all: Int { self.answered + self.refused }
    /// Whether the last line has come to its end.
    var isWhole: Bool { self.beginning.isEmpty }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if self.beginning == Self.refusal { self.refused += 1 } else { self.answered += 1 }
                self.beginning.removeAll(keepingCapacity: true)
            } else if self.beginning.count < Self.refusal.count {
                self.beginning.append(byte)
            }
        }
    }
}
