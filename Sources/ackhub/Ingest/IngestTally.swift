import StrictJSON

/// What became of an input, counted.
struct IngestTally: Sendable {
    /// Names that are counted one by one; more are counted together, because they come from the input.
    static let namesMax = 50

    private(set) var lines = 0
    private(set) var accepted = 0
    private(set) var ignored: [String: Int] = [:]
    private(set) var refused: [String: Int] = [:]

    var refusedTotal: Int { self.refused.values.reduce(0, +) }

    mutating func countLine() { self.lines += 1 }
    mutating func countAccepted() { self.accepted += 1 }
    mutating func countIgnored(_ name: String) { Self.count(name, in: &self.ignored) }
    mutating func countRefused(_ code: String) { Self.count(code, in: &self.refused) }

    private static func count(_ name: String, in counts: inout [String: Int]) {
        counts[counts[name] != nil || counts.count < Self.namesMax ? name : "others", default: 0] += 1
    }

    var text: String {
        var table = TextTable(header: ["lines", String(self.lines)])
        table.row(["accepted", String(self.accepted)])
        for (title, counts) in [("ignored", self.ignored), ("refused", self.refused)] {
            table.row([title, String(counts.values.reduce(0, +))])
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) { table.row(["  " + name, String(count)]) }
        }
        return table.text
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        for (name, count) in [("lines", self.lines), ("accepted", self.accepted)] {
            json.key(name)
            json.number(count)
        }
        for (title, counts) in [("ignored", self.ignored), ("refused", self.refused)] {
            json.key(title)
            json.beginObject()
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.number(count)
            }
            json.endObject()
        }
        json.endObject()
    }
}
