import StrictJSON
import Testing

@testable import PushPayloads

/// Random notifications are refused for what is wrong with them, or their payload reads back as what went in.
///
/// `ACKHUB_FUZZ_MESSAGES` is how many there are for both platforms together.
@Suite struct PushwooshFuzzTests {
    private static let rounds = FuzzCount.each(of: PushwooshFieldTests.platforms)

    private enum Outcome: CaseIterable { case rendered, trimmed, faulty, empty, tooLarge }

    @Test(arguments: PushwooshFieldTests.platforms)
    func isRefusedOrReadsBackAsItWas(_ platform: String) throws {
        var fuzzer = PushwooshFuzzer(seed: platform == "pushwoosh-ios" ? 21 : 20)
        var outcomes: [Outcome: Int] = [:]
        for round in 0..<Self.rounds {
            let notification = fuzzer.notification()
            let outcome = try Self.outcome(of: notification, on: platform)
            try #require(outcome != nil, "round \(round): \(notification.json)")
            outcomes[outcome!, default: 0] += 1
        }
        for outcome in Outcome.allCases where outcome != .trimmed || platform == "pushwoosh-ios" {
            #expect(outcomes[outcome, default: 0] > Self.rounds / 1_000, "\(outcomes)")
        }
    }

    /// nil when it is not what it must be.
    private static func outcome(
        of notification: PushwooshFuzzer.Notification, on platform: String
    ) throws -> Outcome? {
        let expectation = PushwooshExpectation(notification)
        let rendered: Rendered
        do { rendered = try Rendered(platform, notification.json) } catch let refused as Refused {
            if let field = notification.faultyField {
                return refused.faults.count == 1 && refused.faults[0].hasPrefix("/message/\(field) ") ? .faulty : nil
            }
            if expectation.isEmpty(on: platform) { return refused == Refused("/message empty_payload") ? .empty : nil }
            let bytes = Self.bytes(expectation.payload(on: platform), platform)
            return refused == Refused("/message payload_too_large") && bytes > 4096 ? .tooLarge : nil
        }
        guard notification.faultyField == nil, !expectation.isEmpty(on: platform) else { return nil }
        let payload = try rendered.json
        guard Self.bytes(payload, platform) == rendered.payloadBytes, rendered.payloadBytes <= 4096 else { return nil }
        let expected = PushwooshExpectation.json(expectation.payload(on: platform))
        let actual = PushwooshExpectation.json(payload)
        if actual.utf8.elementsEqual(expected.utf8) { return .rendered }
        return Self.isTrimmed(rendered, expectation, notification) ? .trimmed : nil
    }

    private static func bytes(_ payload: JSONValue, _ platform: String) -> Int {
        platform == "pushwoosh-ios"
            ? PushwooshExpectation.json(payload).utf8.count : PushwooshExpectation.fcmBytes(payload)
    }

    /// Whether the payload is what a message with the shorter text would have, the text is the content's beginning, and
    /// the message wanted that.
    private static func isTrimmed(
        _ rendered: Rendered, _ expectation: PushwooshExpectation, _ notification: PushwooshFuzzer.Notification
    ) -> Bool {
        guard expectation.isOn("apns_trim_content") || expectation.isOn("ios_trim_content"),
            let content = notification["content"]?.text, let body = rendered["aps", "alert", "body"]?.text,
            body.utf8.suffix(3).elementsEqual("…".utf8), content.utf8.starts(with: body.utf8.dropLast(3))
        else { return false }
        var shorter = notification
        shorter.members = notification.members.map {
            $0.name == "content" ? JSONMember(name: "content", value: .string(body)) : $0
        }
        let expected = PushwooshExpectation(shorter).payload(on: "pushwoosh-ios")
        return rendered.payload.utf8.elementsEqual(PushwooshExpectation.json(expected).utf8)
    }
}
