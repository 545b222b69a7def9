/// Writes the Prometheus text exposition format, version 0.0.4: HELP and TYPE before a family's samples, each family once.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    enum Kind: String {
        case counter, gauge, histogram
    }
    typealias Labels = [(name: String, value: String)]

    private(set) var bytes: [UInt8] = []
    private var family = ""
    private var families: Set<String> = []

    init() { self.bytes.reserveCapacity(32_768) }

    /// Begins a family. `help` is one line. A counter's name ends in `_total`.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        precondition(self.families.insert(name).inserted, "family \(name) is written twice")
        precondition(kind != .counter || name.hasSuffix("_total"), "\(name) must end in _total")
        self.family = name
        self.bytes += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8
    }

    mutating func sample(_ value: UInt64, _ labels: Labels = []) { self.sample(String(value), labels, suffix: "") }
    mutating func sample(_ value: Int, _ labels: Labels = []) { self.sample(String(value), labels, suffix: "") }
    mutating func sample(_ value: Double, _ labels: Labels = []) {
        self.sample(Self.text(value), labels, suffix: "")
    }

    /// A family of one sample without labels.
    mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
        self.begin(name, .counter, help)
        self.sample(value)
    }
    mutating func gauge(_ name: String, _ help: String, _ value: UInt64) {
        self.begin(name, .gauge, help)
        self.sample(value)
    }
    mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        self.begin(name, .gauge, help)
        self.sample(value)
    }

    /// `counts`: one per bound and one beyond, not yet cumulated. `bounds` in the family's unit.
    mutating func histogram(_ counts: [UInt64], bounds: [Double], sum: Double) {
        precondition(counts.count == bounds.count + 1)
        var cumulated: UInt64 = 0
        for (index, count) in counts.enumerated() {
            cumulated += count
            let bound = index < bounds.count ? Self.text(bounds[index]) : "+Inf"
            self.sample(String(cumulated), [("le", bound)], suffix: "_bucket")
        }
        self.sample(Self.text(sum), [], suffix: "_sum")
        self.sample(String(cumulated), [], suffix: "_count")
    }

    private mutating func sample(_ value: String, _ labels: Labels, suffix: String) {
        self.bytes += self.family.utf8
        self.bytes += suffix.utf8
        if !labels.isEmpty {
            self.bytes.append(UInt8(ascii: "{"))
            for (index, label) in labels.enumerated() {
                if index > 0 { self.bytes.append(UInt8(ascii: ",")) }
                self.bytes += "\(label.name)=\"".utf8
                for byte in label.value.utf8 {
                    switch byte {
                    case UInt8(ascii: "\\"): self.bytes += "\\\\".utf8
                    case UInt8(ascii: "\""): self.bytes += "\\\"".utf8
                    case UInt8(ascii: "\n"): self.bytes += "\\n".utf8
                    default: self.bytes.append(byte)
                    }
                }
                self.bytes.append(UInt8(ascii: "\""))
            }
            self.bytes.append(UInt8(ascii: "}"))
        }
        self.bytes += " \(value)\n".utf8
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return value.description
    }
}
