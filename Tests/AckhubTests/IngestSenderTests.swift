import CommandLineOptions
import TestSupport
import Testing

@testable import ackhub

/// What the sender makes of a hub's answers, a broken-off one included.
@Suite(.blocking) struct IngestSenderTests {
    private static let accepted = "{\"accepted\":true}\n"
    private static let refused = "{\"error\":{\"code\":\"wrong_account\",\"detail\":\"Not yours.\",\"line\":2}}\n"
    private static let stopped = "{\"error\":{\"code\":\"spool_full\",\"detail\":\"No room.\",\"line\":2}}\n"

    /// Sends `count` lines; the answers in turn, then what was told, and the bodies that went out.
    private static func send(
        _ count: Int, answers: [(status: Int, body: String)]
    ) throws -> (told: [String], bodies: [String]) {
        var rest = answers[...]
        var bodies: [String] = []
        var told: [String] = []
        var sender = IngestSender { body in
            bodies.append(String(decoding: body, as: UTF8.self))
            guard let answer = rest.popFirst() else { throw CommandError("asked once too often") }
            return HTTPAnswer(status: answer.status, fields: [], body: Array(answer.body.utf8), keepsAlive: true)
        }
        func note(_ number: Int, _ outcome: IngestSender.Outcome) {
            switch outcome {
            case .accepted: told.append("\(number) accepted")
            case .refused(let code, let detail): told.append("\(number) \(code) \(detail)")
            }
        }
        for number in 1...count { try sender.add(Array("line \(number)".utf8), from: number * 10, told: note) }
        try sender.flush(told: note)
        #expect(rest.isEmpty)
        return (told, bodies)
    }

    @Test func tellsEachLinesOutcome() throws {
        let (told, bodies) = try Self.send(3, answers: [(200, Self.accepted + Self.refused + Self.accepted)])
        #expect(told == ["10 accepted", "20 wrong_account Not yours.", "30 accepted"])
        #expect(bodies == ["line 1\nline 2\nline 3\n"])
    }

    /// What the hub broke off before is sent again, and nothing else; also when only the last line is missing.
    @Test func sendsTheRestAgain() throws {
        let first = try Self.send(
            3, answers: [(200, Self.accepted + Self.stopped), (200, Self.accepted + Self.accepted)])
        #expect(first.told == ["10 accepted", "20 accepted", "30 accepted"])
        #expect(first.bodies == ["line 1\nline 2\nline 3\n", "line 2\nline 3\n"])
        let last = try Self.send(2, answers: [(200, Self.accepted + Self.stopped), (200, Self.refused)])
        #expect(last.told == ["10 accepted", "20 wrong_account Not yours."])
        #expect(last.bodies == ["line 1\nline 2\n", "line 2\n"])
    }

    /// A request ends at its lines and at its bytes.
    @Test func endsARequestAtItsLimits() throws {
        let lines = IngestSender.linesMax
        let (told, bodies) = try Self.send(
            lines + 1, answers: [(200, String(repeating: Self.accepted, count: lines)), (200, Self.accepted)])
        #expect(told.count == lines + 1)
        #expect(bodies.last == "line \(lines + 1)\n")

        var sizes: [Int] = []
        var sender = IngestSender { body in
            sizes.append(body.count)
            let answers = String(repeating: Self.accepted, count: body.count { $0 == UInt8(ascii: "\n") })
            return HTTPAnswer(status: 200, fields: [], body: Array(answers.utf8), keepsAlive: true)
        }
        for number in 0..<100 { try sender.add([UInt8](repeating: 0x61, count: 65_535), from: number) { _, _ in } }
        try sender.flush { _, _ in }
        #expect(sizes.max() == IngestSender.bytesMax)
        #expect(sizes.reduce(0, +) == 100 * 65_536)
    }

    /// Answers that fit no lines end the run instead of being counted.
    @Test(arguments: [
        (200, ""), (200, "{\"accepted\":true}\n{\"accepted\":true}\n{\"accepted\":true}\n"), (200, "{}\n"),
        (200, "{\"error\":{\"code\":\"spool_full\"}}\n"), (200, "<html>"), (401, "{\"code\":\"invalid_token\"}"),
        (404, ""),
    ])
    func doubtsOtherAnswers(status: Int, body: String) {
        #expect(throws: (any Error).self) { try Self.send(2, answers: [(status, body)]) }
    }

    /// Names come from the input: their number is bounded.
    @Test func boundsItsCounts() {
        var tally = IngestTally()
        for number in 0..<1_000 { tally.countIgnored("event \(number)") }
        #expect(tally.ignored.count == IngestTally.namesMax + 1)
        #expect(tally.ignored["others"] == 1_000 - IngestTally.namesMax)
    }
}
