/// A parsed head: index ranges into the bytes that come beside it. Borrowed, never copied.
package struct HTTPRequestHead: ~Copyable, Sendable {
    package internal(set) var method = HTTPMethod.get
    /// The method's token as received.
    package internal(set) var methodName = 0..<0
    /// The target as received; an absolute-form target is reduced to its origin form.
    package internal(set) var target = 0..<0
    /// 0 or 1; a newer minor version counts as 1 (RFC 9112 2.3).
    package internal(set) var minorVersion = 1

    var fields = FieldTable()
    var framing = HTTPBodyFraming.none
    /// What the peer asked for: the version's default, changed by Connection.
    var keepAlive = true
    /// `Expect: 100-continue` of a 1.1 request.
    var expectsContinue = false

    init() {}

    /// The first field of that lower-case name, its value trimmed. Case-insensitive; no allocation.
    package func header(_ name: StaticString, in bytes: RawSpan) -> Range<Int>? {
        let count = name.utf8CodeUnitCount
        for index in 0..<self.fields.count {
            let field = self.fields[index]
            guard Int(field.nameEnd &- field.nameStart) == count else { continue }
            if bytes.equalsIgnoringCase(name, at: Int(field.nameStart)) { return field.value }
        }
        return nil
    }

    /// Every field, in order.
    package func forEachHeader(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        for index in 0..<self.fields.count { body(self.fields[index].name, self.fields[index].value) }
    }
}

extension HTTPRequestHead {
    /// Parses a head that is there in whole, its empty line included: for tests and tools.
    ///
    /// - Throws: the reason for which a server would refuse it; `.truncated` when its end is missing.
    package init(parsing bytes: RawSpan, limits: HTTPLimits = HTTPLimits()) throws(HTTPRejection) {
        var scanner = HeadScanner()
        self.init()
        switch scanner.scan(bytes, limits: limits) {
        case .incomplete: throw .truncated
        case .rejected(let reason): throw reason
        case .complete:
            let head = bytes.extracting(Int(scanner.headStart)..<Int(scanner.offset))
            if let reason = self.parse(head) { throw reason }
            let start = Int(scanner.headStart)
            guard start > 0 else { return }
            self.methodName = self.methodName.lowerBound + start..<self.methodName.upperBound + start
            self.target = self.target.lowerBound + start..<self.target.upperBound + start
            for index in 0..<self.fields.count { self.fields[index].move(by: UInt32(start)) }
        }
    }
}

extension HTTPField {
    fileprivate mutating func move(by distance: UInt32) {
        self.nameStart += distance
        self.nameEnd += distance
        self.valueStart += distance
        self.valueEnd += distance
    }
}
