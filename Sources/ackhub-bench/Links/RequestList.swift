/// Every request of a run, made beforehand and one behind another in memory, so that sending one is one system call.
struct RequestList: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each request begins, and where the last one ends.
    private(set) var starts = [0]
    /// An ack's or an open's link, or a foreign target.
    private(set) var kinds: [RequestKind] = []

    private let head: [UInt8]
    private let tail: [UInt8]

    /// Some 2.5 GB of links.
    static let countMax = 10_000_000

    /// - Parameters:
    ///   - closes: asks the server to close after the answer.
    ///   - token: goes with every request, for a server that asks for one.
    init(authority: String, closes: Bool, token: String? = nil) {
        self.head = Array("GET ".utf8)
        let fields = [
            "Host: \(authority)", "User-Agent: ackhub-bench", token.map { "Authorization: Bearer \($0)" },
            closes ? "Connection: close" : nil,
        ]
        self.tail = Array((" HTTP/1.1\r\n" + fields.compactMap { $0 }.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }

    var count: Int { self.kinds.count }

    mutating func reserve(_ count: Int, targetBytes: Int) {
        self.bytes.reserveCapacity(count * (self.head.count + targetBytes + self.tail.count))
        self.starts.reserveCapacity(count + 1)
        self.kinds.reserveCapacity(count)
    }

    /// Adds a GET of that target, which begins with a slash.
    mutating func append(_ target: some Collection<UInt8>, _ kind: RequestKind) {
        self.bytes.append(contentsOf: self.head)
        self.bytes.append(contentsOf: target)
        self.bytes.append(contentsOf: self.tail)
        self.starts.append(self.bytes.count)
        self.kinds.append(kind)
    }
}

/// What a request asks for.
enum RequestKind: UInt8, Sendable, CaseIterable {
    case ack, open
    /// A target from a file: nobody knows what it means.
    case other
}
