import Glibc
import TestSupport
import Testing

@testable import ackhub

/// `ackhub render` beside a real hub, and its refusals.
@Suite(.blocking) struct RenderTests {
    private static let message = #"{"title":"Hi \"there\" 👩‍👩‍👧","body":"é","ttl":60,"appmetrica":{"group_id":5}}"#
    private static let carillon = #"{"title":"Hi","localizations":{"pt-BR":{"title":"Oi"}}}"#
    private static let pushwoosh = #"{"content":"Hi"}"#
    private static let times = ["--launched-at", "2026-03-01T08:00:00Z", "--sent-at", "2026-03-01T08:00:01.000000002Z"]

    private static func words(_ provider: String, _ more: [String] = []) -> [String] {
        [
            "render", "--account", "1", "--campaign", "7", "--provider", provider, "--profile",
            "18446744073709551615", "--subscription", "9", "--token", "token:1",
        ] + self.times + more
    }

    /// With the same keys, ids and times it prints what the hub answers, byte for byte; without --json the payload alone.
    @Test(arguments: [
        ("android-firebase", [], ""),
        (
            "ios-firebase", ["--resource", "3", "--channel", "webpush", "--test"],
            ",\"resource_id\":3,\"channel\":4,\"test\":true"
        ),
        (
            "ios-apns", ["--style", "crypto_post_events", "--privacy", "2"],
            ",\"style\":\"crypto_post_events\",\"privacy\":2"
        ),
        ("android-appmetrica", ["--template", "documented"], ",\"template\":\"documented\""),
        ("android-huawei", ["--ak-uid", "--privacy", "3"], ",\"ak_uid\":true,\"privacy\":3"),
        ("pushwoosh-android", [], ""),
        ("carillon-ios", ["--locale", "pt_BR"], ""),
    ])
    func printsWhatTheHubAnswers(provider: String, options: [String], fields: String) throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let isCarillon = provider.hasPrefix("carillon")
        let message = isCarillon ? Self.carillon : provider == "pushwoosh-android" ? Self.pushwoosh : Self.message
        let answer = try hub.api(
            "POST", "/v1/payloads",
            body: """
                {"campaign_id":7,"provider":"\(provider)","launched_at":"\(Self.times[1])","message":\(message)\(fields),
                 "recipients":[{"profile_id":18446744073709551615,"subscription_id":9,"token":"token:1",
                 "locale":"pt_BR","sent_at":"\(Self.times[3])"}]}
                """)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200, "\(text)")
        let words = Self.words(provider, options)
        let whole = try deployment.run(words + ["--json"], input: message).requireSuccess()
        let element = whole.output.trimmed
        #expect(element.hasPrefix("{\"uid\":\"T"))
        #expect(text.hasSuffix("\"messages\":[\(element)]}"))
        let payload = try deployment.run(words, input: message).requireSuccess().output.trimmed
        #expect(element.contains("\"payload\":\(payload),\""))
        #expect(payload.contains("\"Oi\"") == isCarillon)
        #expect(whole.diagnostics.contains("POST /v1/payloads stores the message") == isCarillon)
        #expect(hub.stop() == 0)
    }

    /// A message that is refused is told on stderr, a line a fault, with exit status 1 and nothing on stdout.
    @Test(arguments: [
        (#"{"title":5,"click_url":"not a url"}"#, ["/message/title: ", "/message/click_url: "]),
        ("{}", ["/message: "]), ("[]", ["/message: "]),
        ("{\"body\":\"\(String(repeating: "x", count: 4_096))\"}", ["/message: The payload has "]),
        ("", ["ackhub render: the message is no JSON: "]),
        (#"{"title":"a","title":"b"}"#, ["ackhub render: the message is no JSON: "]),
    ])
    func tellsWhatIsWrongWithTheMessage(message: String, diagnostics: [String]) throws {
        let finished = try Deployment().run(Self.words("android-firebase"), input: message)
        #expect(finished.status == 1)
        #expect(finished.output.isEmpty)
        let lines = finished.diagnostics.lines
        #expect(lines.count == diagnostics.count)
        for (line, start) in zip(lines, diagnostics) { #expect(line.hasPrefix(start), "\(line)") }
    }

    /// A message may be as deep as in a request, where the object around it is one level more.
    @Test func takesAMessageAsDeepAsTheHubDoes() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        for (levels, isTaken) in [(63, true), (64, false)] {
            // The message and its data are two.
            let lists = String(repeating: "[", count: levels - 2) + String(repeating: "]", count: levels - 2)
            let message = #"{"title":"T","data":{"k":\#(lists)}}"#
            let answer = try hub.api(
                "POST", "/v1/payloads",
                body: """
                    {"campaign_id":7,"provider":"ios-apns","message":\(message),
                     "recipients":[{"profile_id":1,"subscription_id":9,"token":"t"}]}
                    """)
            #expect(answer.status == (isTaken ? 200 : 400))
            let finished = try deployment.run(Self.words("ios-apns"), input: message)
            #expect(finished.status == (isTaken ? 0 : 1))
            #expect(finished.diagnostics.contains("the message is no JSON: ") == !isTaken)
        }
        #expect(hub.stop() == 0)
    }

    /// Stdin has a limit.
    @Test func refusesEndlessInput() throws {
        let deployment = try Deployment()
        let limit = 1 << 20
        let spaces = String(repeating: " ", count: limit - Self.message.utf8.count)
        try deployment.run(Self.words("android-firebase"), input: Self.message + spaces).requireSuccess()
        let longer = try deployment.run(Self.words("android-firebase"), input: Self.message + spaces + " ")
        #expect(longer.status == 1)
        #expect(longer.diagnostics == "ackhub render: stdin is longer than 1048576 bytes\n")
    }

    /// What is wrong with the command line is exit status 2.
    @Test(arguments: [
        (["--provider", "77"], "--provider: there is no payload for 77"),
        (
            ["--provider", "ios-apns", "--token", "/topics/news"],
            "--token: This provider's payload can't go to a topic."
        ),
        (["--provider", "ios-apns", "--token", "a b"], "--token: is not 1 to 4096 printable ASCII characters"),
        (["--provider", "ios-apns", "--template", "fancy"], "--template: 'fancy' is neither wire nor documented"),
        (
            ["--provider", "ios-apns", "--locale", String(repeating: "x", count: 65)],
            "--locale: is longer than 64 bytes"
        ),
    ])
    func refusesWrongUsage(options: [String], diagnostic: String) throws {
        let token = options.contains("--token") ? [] : ["--token", "t"]
        let words = ["render", "--account", "1", "--campaign", "7", "--profile", "1", "--subscription", "9"]
        // Only a topic's refusal reads the message first; nobody would read it from the others.
        let isRead = options.contains("/topics/news")
        let finished = try Deployment().run(words + token + options, input: isRead ? Self.message : "")
        #expect(finished.status == 2)
        #expect(finished.output.isEmpty)
        #expect(finished.diagnostics.contains(diagnostic))
    }
}
