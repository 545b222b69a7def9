/// A request as an ordinary endpoint sees it: copied, Sendable.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// The method's token as received.
    package var methodName: String
    /// The raw path: decoding its segments is the caller's business.
    package var path: String
    /// The raw query without `?`, or nil.
    package var query: String?
    /// Names in lower case; values trimmed, bytes that are no UTF-8 replaced.
    package var headers: [(name: String, value: String)]
    package var peer: SocketAddress

    package init(
        method: HTTPMethod, methodName: String, path: String, query: String? = nil,
        headers: [(name: String, value: String)] = [], peer: SocketAddress
    ) {
        self.method = method
        self.methodName = methodName
        self.path = path
        self.query = query
        self.headers = headers
        self.peer = peer
    }

    /// The first field of that lower-case name.
    package func header(_ name: String) -> String? { self.headers.first { $0.name == name }?.value }

    init(_ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress) {
        var path = bytes.text(head.target)
        var query: String?
        if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = String(path[path.utf8.index(after: mark)...])
            path = String(path[..<mark])
        }
        var headers: [(name: String, value: String)] = []
        head.forEachHeader { headers.append((name: bytes.text($0).lowercased(), value: bytes.value($1))) }
        self.init(
            method: head.method, methodName: bytes.text(head.methodName), path: path, query: query, headers: headers,
            peer: peer)
    }
}

extension RawSpan {
    fileprivate func text(_ range: Range<Int>) -> String {
        self.withUnsafeBytes { String(decoding: UnsafeRawBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }

    /// A field's value with a space for each control character (RFC 9110 5.5).
    fileprivate func value(_ range: Range<Int>) -> String {
        let value = self.text(range)
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return value }
        return String(decoding: value.utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }, as: UTF8.self)
    }
}
