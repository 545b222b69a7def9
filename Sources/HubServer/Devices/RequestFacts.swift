import HTTPFrontEnd

/// What the device path needs of every request's fields, found in one pass, without allocation.
struct RequestFacts {
    /// Empty when the field is missing.
    var userAgent = 0..<0
    var accept = 0..<0
    /// Sec-Purpose, Purpose, X-Purpose or X-Moz says that a machine fetches ahead of a person.
    var isPrefetch = false

    init(_ head: borrowing HTTPRequestHead, _ bytes: RawSpan) {
        var facts = RequestFacts()
        head.forEachHeader { name, value in facts.see(name, value, bytes) }
        self = facts
    }

    init() {}

    /// Looks at a name's length first: most fields concern nobody here.
    mutating func see(_ name: Range<Int>, _ value: Range<Int>, _ bytes: RawSpan) {
        switch name.count {
        case 5 where bytes.equalsLowercased(name, "x-moz"),
            7 where bytes.equalsLowercased(name, "purpose"),
            9 where bytes.equalsLowercased(name, "x-purpose"),
            11 where bytes.equalsLowercased(name, "sec-purpose"):
            self.isPrefetch = self.isPrefetch || Self.saysPrefetch(bytes, value)
        case 6 where bytes.equalsLowercased(name, "accept"):
            if self.accept.isEmpty { self.accept = value }
        case 10 where bytes.equalsLowercased(name, "user-agent"):
            if self.userAgent.isEmpty { self.userAgent = value }
        default: break
        }
    }

    /// `prefetch`, `prefetch;prerender`, `prefetch;anonymous-client-ip`, `preview`, `instant`…
    private static func saysPrefetch(_ bytes: RawSpan, _ value: Range<Int>) -> Bool {
        bytes.containsLowercased(value, "prefetch") || bytes.containsLowercased(value, "preview")
            || bytes.containsLowercased(value, "prerender") || bytes.containsLowercased(value, "instant")
    }
}
