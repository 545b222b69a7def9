import EventStore
import HTTPFrontEnd

/// Whose event it is, as far as an event keeps it: address, user agent and class, by the rules of the device path.
struct ClientFacts: Sendable {
    let address: IPAddress
    let userAgent: [UInt8]
    let eventClass: EventClass

    /// The client that a report names: a sender's report is not the client's own request.
    init(address: IPAddress, userAgent: [UInt8], userAgents: UserAgentTable) {
        self.address = address
        self.userAgent = userAgent
        let known = userAgent.isEmpty ? nil : userAgents.find(userAgent.span.bytes, 0..<userAgent.count)
        self.eventClass = known ?? .human
    }

    init(_ request: HTTPRequest, proxies: ForwardedChain, userAgents: UserAgentTable) {
        var fields = FieldBytes()
        for (name, value) in request.headers { fields.append(name, value) }
        let bytes = fields.bytes.span.bytes
        var facts = RequestFacts()
        for field in fields.fields { facts.see(field.name, field.value, bytes) }
        self.userAgent = Array(fields.bytes[facts.userAgent])
        let known = facts.userAgent.isEmpty ? nil : userAgents.find(bytes, facts.userAgent)
        self.eventClass = facts.isPrefetch ? .prefetch : known ?? .human

        let peer = IPAddress(request.peer)
        guard proxies.isTrusted(peer) else {
            self.address = peer
            return
        }
        self.address = proxies.client(
            proxy: peer, forwardedFor: fields.lines("x-forwarded-for"), forwarded: fields.lines("forwarded"), bytes)
    }
}

/// A copied request's fields in one buffer, so that what reads a raw head reads them too.
private struct FieldBytes {
    private(set) var bytes: [UInt8] = []
    private(set) var fields: [(name: Range<Int>, value: Range<Int>)] = []

    mutating func append(_ name: String, _ value: String) {
        let start = self.bytes.count
        self.bytes += name.utf8
        let end = self.bytes.count
        self.bytes += value.utf8
        self.fields.append((start..<end, end..<self.bytes.count))
    }

    func lines(_ name: StaticString) -> ForwardedLines {
        var lines = ForwardedLines()
        for field in self.fields where self.bytes.span.bytes.equalsLowercased(field.name, name) {
            lines.append(field.value)
        }
        return lines
    }
}
