@testable import HTTPFrontEnd

/// What a parser makes of bytes, in a form that can be compared: the same however they were split.
enum ParseProbe {
    enum Outcome: Equatable, CustomStringConvertible {
        case incomplete
        case rejected(HTTPRejection)
        case head(Head)

        var description: String {
            switch self {
            case .incomplete: "incomplete"
            case .rejected(let reason): "rejected(\(reason))"
            case .head(let head): "\(head)"
            }
        }
    }

    struct Head: Equatable {
        var method: HTTPMethod
        var target: String
        var minorVersion: Int
        var framing: HTTPBodyFraming
        var keepAlive: Bool
        var expectsContinue: Bool
        var fields: [String]
        var bytes: Int
    }

    /// Scans after each of these counts of bytes is there, as a connection does.
    static func run(_ bytes: [UInt8], arrivals: [Int], limits: HTTPLimits = HTTPLimits()) -> Outcome {
        var scanner = HeadScanner()
        for count in arrivals {
            let part = Array(bytes[..<count])
            switch scanner.scan(part.span.bytes, limits: limits) {
            case .incomplete: continue
            case .rejected(let reason): return .rejected(reason)
            case .complete:
                var head = HTTPRequestHead()
                let headBytes = Array(part[Int(scanner.headStart)..<Int(scanner.offset)])
                if let reason = head.parse(headBytes.span.bytes) { return .rejected(reason) }
                return .head(self.describe(head, headBytes, Int(scanner.offset)))
            }
        }
        return .incomplete
    }

    static func whole(_ text: String, limits: HTTPLimits = HTTPLimits()) -> Outcome {
        self.run(Array(text.utf8), arrivals: [text.utf8.count], limits: limits)
    }

    /// The outcomes of all ways to split the bytes that the suite tries: byte by byte, and once at every place.
    static func splits(_ bytes: [UInt8], limits: HTTPLimits = HTTPLimits()) -> [Outcome] {
        var outcomes = [self.run(bytes, arrivals: Array(stride(from: 1, through: bytes.count, by: 1)), limits: limits)]
        for place in stride(from: 1, to: bytes.count, by: 1) {
            outcomes.append(self.run(bytes, arrivals: [place, bytes.count], limits: limits))
        }
        return outcomes
    }

    private static func describe(_ head: borrowing HTTPRequestHead, _ bytes: [UInt8], _ count: Int) -> Head {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        var fields: [String] = []
        head.forEachHeader { fields.append("\(text($0))=\(text($1))") }
        return Head(
            method: head.method, target: text(head.target), minorVersion: head.minorVersion, framing: head.framing,
            keepAlive: head.keepAlive, expectsContinue: head.expectsContinue, fields: fields, bytes: count)
    }
}
