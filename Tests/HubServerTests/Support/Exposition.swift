/// A strict reader of the Prometheus text format 0.0.4, for tests: what it accepts every scraper accepts.
struct Exposition {
    struct Family {
        var type: String
        var help: String
        /// By the sample's whole name and labels, as written: `x_total{kind="ack"}`.
        var samples: [String: Double] = [:]
    }
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private(set) var families: [String: Family] = [:]

    subscript(_ sample: String) -> Double? {
        for family in self.families.values { if let value = family.samples[sample] { return value } }
        return nil
    }

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(description: "the last line has no end") }
        var present = ""
        var help: (name: String, text: String)?
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("# HELP ") {
                let parts = line.dropFirst(7).split(separator: " ", maxSplits: 1)
                guard parts.count == 2 else { throw Fault(description: "HELP without a text: \(line)") }
                help = (String(parts[0]), String(parts[1]))
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.dropFirst(7).split(separator: " ")
                guard parts.count == 2, let given = help, given.name == parts[0] else {
                    throw Fault(description: "TYPE without its HELP: \(line)")
                }
                guard ["counter", "gauge", "histogram"].contains(String(parts[1])) else {
                    throw Fault(description: "unknown type: \(line)")
                }
                present = String(parts[0])
                guard Self.isName(present), self.families[present] == nil else {
                    throw Fault(description: "bad or repeated family: \(line)")
                }
                self.families[present] = Family(type: String(parts[1]), help: given.text)
                help = nil
            } else {
                try self.readSample(line, of: present)
            }
        }
        try self.checkFamilies()
    }

    private mutating func readSample(_ line: String, of family: String) throws {
        guard let space = line.lastIndex(of: " "), let value = Self.number(String(line[line.index(after: space)...]))
        else {
            throw Fault(description: "no value: \(line)")
        }
        let sample = String(line[..<space])
        let name = String(sample.prefix { $0 != "{" })
        guard let type = self.families[family]?.type else { throw Fault(description: "sample before TYPE: \(line)") }
        let names = type == "histogram" ? ["_bucket", "_sum", "_count"].map { family + $0 } : [family]
        guard names.contains(name) else { throw Fault(description: "sample of another family: \(line)") }
        if sample.count > name.count { try Self.checkLabels(String(sample.dropFirst(name.count)), line) }
        guard self.families[family]!.samples.updateValue(value, forKey: sample) == nil else {
            throw Fault(description: "repeated sample: \(line)")
        }
    }

    private static func checkLabels(_ text: String, _ line: String) throws {
        guard text.hasPrefix("{"), text.hasSuffix("}") else { throw Fault(description: "labels: \(line)") }
        var rest = text.dropFirst().dropLast()
        var seen: Set<String> = []
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: "=") else {
                throw Fault(description: "label without value: \(line)")
            }
            let name = String(rest[..<equals])
            guard Self.isName(name), !name.contains(":"), seen.insert(name).inserted else {
                throw Fault(description: "label name \(name): \(line)")
            }
            rest = rest[rest.index(after: equals)...]
            guard rest.popFirst() == "\"" else { throw Fault(description: "unquoted label: \(line)") }
            var isClosed = false
            while let character = rest.popFirst() {
                if character == "\\" {
                    guard let escaped = rest.popFirst(), "\\\"n".contains(escaped) else {
                        throw Fault(description: "escape: \(line)")
                    }
                } else if character == "\"" {
                    isClosed = true
                    break
                }
            }
            guard isClosed else { throw Fault(description: "label without end: \(line)") }
            if !rest.isEmpty {
                guard rest.popFirst() == ",", !rest.isEmpty else { throw Fault(description: "labels: \(line)") }
            }
        }
    }

    private func checkFamilies() throws {
        for (name, family) in self.families {
            if family.type == "counter" {
                guard name.hasSuffix("_total"), family.samples.values.allSatisfy({ $0 >= 0 }) else {
                    throw Fault(description: "counter \(name)")
                }
            }
            guard family.type == "histogram" else { continue }
            let buckets = family.samples.filter { $0.key.hasPrefix("\(name)_bucket") }
            guard let infinite = buckets["\(name)_bucket{le=\"+Inf\"}"], infinite == family.samples["\(name)_count"],
                family.samples["\(name)_sum"] != nil
            else { throw Fault(description: "histogram \(name)") }
            let sorted = buckets.map {
                (bound: Self.number(String($0.key.split(separator: "\"")[1]))!, count: $0.value)
            }
            .sorted { $0.bound < $1.bound }
            for (left, right) in zip(sorted, sorted.dropFirst()) where left.count > right.count {
                throw Fault(description: "histogram \(name) falls")
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (48...58).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
        }
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } ? Double(text) : nil
        }
    }
}
