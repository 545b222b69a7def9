/// Reads answers from a connection's bytes as they come (RFC 9112), a value without I/O.
struct HTTPAnswerParser {
    private var bytes: [UInt8] = []
    private var head: (answer: HTTPAnswer, framing: Framing)?

    private enum Framing { case none, length(Int), chunked, untilEnd }

    private static let headBytesMax = 65_536

    /// Whether bytes of an answer came that is not whole yet.
    var isInside: Bool { !self.bytes.isEmpty || self.head != nil }

    mutating func append(_ new: some Sequence<UInt8>) { self.bytes.append(contentsOf: new) }

    /// The next whole answer; nil while more must come.
    ///
    /// - Parameters:
    ///   - isHead: the request was a HEAD, whose answer has no body.
    ///   - isEnd: the server has closed.
    mutating func next(isHead: Bool, isEnd: Bool = false) throws(HTTPAnswerFault) -> HTTPAnswer? {
        while self.head == nil {
            guard try self.readHead(isHead: isHead) else { return nil }
            // RFC 9110 15.2: an interim answer comes before the real one.
            if let head = self.head, (100..<200).contains(head.answer.status) { self.head = nil }
        }
        guard let head = self.head else { return nil }
        var answer = head.answer
        switch head.framing {
        case .none: break
        case .length(let count):
            guard self.bytes.count >= count else { return nil }
            answer.body = Array(self.bytes.prefix(count))
            self.bytes.removeFirst(count)
        case .chunked:
            guard let body = try self.readChunks() else { return nil }
            answer.body = body
        case .untilEnd:
            guard isEnd else { return nil }
            answer.body = self.bytes
            self.bytes = []
        }
        self.head = nil
        return answer
    }

    private mutating func readHead(isHead: Bool) throws(HTTPAnswerFault) -> Bool {
        guard let end = Self.find("\r\n\r\n", in: self.bytes, from: 0) else {
            if self.bytes.count > Self.headBytesMax { throw HTTPAnswerFault(description: "a head without an end") }
            return false
        }
        let lines = String(decoding: self.bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        self.bytes.removeFirst(end + 4)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw HTTPAnswerFault(description: "a bad status line")
        }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw HTTPAnswerFault(description: "a bad field line") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((line[..<colon].lowercased(), String(value)))
        }
        var answer = HTTPAnswer(status: status, fields: fields, body: [], keepsAlive: words[0] == "HTTP/1.1")
        let connection = answer.field("connection")?.lowercased()
        if connection == "close" { answer.keepsAlive = false }
        if connection == "keep-alive" { answer.keepsAlive = true }
        let framing = try Self.framing(of: answer, isHead: isHead)
        if case .untilEnd = framing { answer.keepsAlive = false }
        self.head = (answer, framing)
        return true
    }

    /// RFC 9112 section 6.3.
    private static func framing(of answer: HTTPAnswer, isHead: Bool) throws(HTTPAnswerFault) -> Framing {
        if isHead || answer.status < 200 || answer.status == 204 || answer.status == 304 { return .none }
        if let coding = answer.field("transfer-encoding") {
            guard coding.lowercased() == "chunked" else {
                throw HTTPAnswerFault(description: "transfer coding \(coding)")
            }
            return .chunked
        }
        guard let text = answer.field("content-length") else { return .untilEnd }
        guard let length = Int(text), length >= 0 else { throw HTTPAnswerFault(description: "a bad Content-Length") }
        return .length(length)
    }

    /// The joined chunks and an empty trailer; nil while more must come.
    private mutating func readChunks() throws(HTTPAnswerFault) -> [UInt8]? {
        var body: [UInt8] = []
        var place = 0
        while true {
            guard let end = Self.find("\r\n", in: self.bytes, from: place) else { return nil }
            let digits = self.bytes[place..<end].prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
                throw HTTPAnswerFault(description: "a bad chunk size")
            }
            place = end + 2
            guard self.bytes.count >= place + size + 2 else { return nil }
            if size == 0 {
                guard self.bytes[place] == 13, self.bytes[place + 1] == 10 else {
                    throw HTTPAnswerFault(description: "a trailer")
                }
                self.bytes.removeFirst(place + 2)
                return body
            }
            body += self.bytes[place..<(place + size)]
            guard self.bytes[place + size] == 13, self.bytes[place + size + 1] == 10 else {
                throw HTTPAnswerFault(description: "a chunk without its end")
            }
            place += size + 2
        }
    }

    private static func find(_ mark: String, in bytes: [UInt8], from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        guard start <= bytes.count - mark.count else { return nil }
        return (start...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }
}
