import StrictJSON

/// A query's parameters. Unknown, repeated and broken ones are faults: a typo must not be silently ignored.
struct QueryParameters: Sendable {
    private var values: [String: String] = [:]
    /// Readers add theirs; `check` throws them all at once.
    var faults = FieldFaults()

    init(_ query: String?, known: [String]) {
        for part in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = PercentEncoding.decode(part[..<equals]) else {
                self.faults.add(.parameter(""), .invalid, "A parameter's name is not percent-encoded UTF-8.")
                continue
            }
            guard known.contains(name) else {
                self.faults.add(
                    .parameter(String(name.prefix(200))), .unknownParameter,
                    "This path takes \(known.isEmpty ? "no parameters" : known.joined(separator: ", ")).")
                continue
            }
            guard let value = PercentEncoding.decode(part[equals...].dropFirst()) else {
                self.faults.add(.parameter(name), .invalid, "Not percent-encoded UTF-8.")
                continue
            }
            guard self.values.updateValue(value, forKey: name) == nil else {
                self.faults.add(.parameter(name), .repeated, "Given more than once.")
                continue
            }
        }
    }

    /// The value as `read` understands it; nil when it is absent or refused.
    mutating func value<Value>(_ name: String, _ read: (String) throws(FieldReason) -> Value) -> Value? {
        guard let text = self.values[name] else { return nil }
        do {
            return try read(text)
        } catch {
            self.faults.add(.parameter(name), error)
            return nil
        }
    }

    mutating func required<Value>(_ name: String, _ read: (String) throws(FieldReason) -> Value) -> Value? {
        if self.values[name] == nil { self.faults.add(.parameter(name), .required, "Required.") }
        return self.value(name, read)
    }

    func check() throws(Problem) {
        guard self.faults.isEmpty else { throw .invalidParameters(self.faults) }
    }
}

/// `test=include` counts test sends in.
extension QueryParameters {
    mutating func includesTests() -> Bool {
        self.value("test") { (text) throws(FieldReason) in
            guard text == "include" else { throw FieldReason(code: .unknownValue, detail: "Must be include.") }
            return true
        } ?? false
    }
}
