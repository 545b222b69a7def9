import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// `ackhub ingest` against a real hub: what providers tell becomes acks and opens in the report.
@Suite(.blocking) struct IngestTests {
    private let deployment: Deployment
    private let token: String
    private let hub: TestHub
    private let folder = TemporaryFolder()

    init() throws {
        self.deployment = try Deployment()
        self.token = try self.deployment.run(["tokens", "create", "--account", "1", "--scopes", "ingest"])
            .requireSuccess().output.trimmed
        self.hub = self.deployment.makeHub()
    }

    private func ingest(_ format: String, _ more: [String] = [], input: String) throws -> Finished {
        try self.deployment.run(
            ["ingest", "--format", format, "--url", self.hub.url, "--token", self.token] + more + ["-"], input: input)
    }

    /// Ids of messages of the account.
    private func mint(_ count: Int, provider: String) throws -> [String] {
        let lines = try self.deployment.run([
            "mint", "--account", "1", "--campaign", "1", "--provider", provider, "--profile", "1",
            "--subscription", "1", "--count", "\(count)", "--json",
        ]).requireSuccess().output.lines
        return try lines.map { line in
            try #require(JSONValue(parsing: Array(line.utf8).span.bytes)["uid"]?.text)
        }
    }

    private static func row(_ event: String, _ number: Int) -> String {
        """
        {"event_timestamp":"\(UnixTime.text(nanoseconds: WallClock.now()).replacing("T", with: " ").replacing("Z", with: " UTC"))",\
        "project_number":"123","message_id":"0:\(number)%a","instance_id":"c\(number)","event":"\(event)"}
        """
    }

    /// A whole export: deliveries are counted, the rest is told; the same export once more adds nothing.
    @Test func takesAnExportOfFCM() throws {
        try self.hub.start()
        let uids = try self.mint(1_200, provider: "android-firebase")
        try self.folder.write(
            uids.enumerated().map { "projects/p/messages/0:\($0)%a,\($1)\n" }.joined(), to: "map.csv")
        let rows =
            uids.indices.flatMap { [Self.row("MESSAGE_ACCEPTED", $0), Self.row("MESSAGE_DELIVERED", $0)] }
            + [Self.row("MISSING_REGISTRATIONS", 0), Self.row("MESSAGE_DELIVERED", 9_999), "[]", ""]
        let input = rows.joined(separator: "\n")
        let map = ["--map", self.folder.file("map.csv")]
        for round in 1...2 {
            let finished = try self.ingest("fcm-bigquery", map + ["--json"], input: input)
            #expect(finished.status == 0, "\(finished.diagnostics)")
            let counts = try JSONValue(parsing: Array(finished.output.utf8).span.bytes)
            #expect(counts["lines"]?.int64 == 2_403)
            #expect(counts["accepted"]?.int64 == 1_200)
            #expect(
                counts["ignored"]?.members?.map { "\($0.name) \($0.value.int64 ?? -1)" } == [
                    "MESSAGE_ACCEPTED 1200", "MISSING_REGISTRATIONS 1", "unknown message 1",
                ])
            #expect(counts["refused"]?.members?.isEmpty == true)
            // The second time each report is loaded as the repeat that it is.
            let repeats = Double(round - 1) * 1_200
            let isLoaded = waitUntil {
                (try? self.hub.onlyCampaign())?["acked"]?.int64 == 1_200
                    && (try? self.hub.metric("ackhub_loader_repeated_reports_total")) == repeats
            }
            #expect(isLoaded, "round \(round)")
            #expect(try self.hub.onlyCampaign()?["acks_total"]?.int64 == 1_200)
        }
        #expect(try self.hub.metric("ackhub_hits_total") == 2_400)
        #expect(self.hub.stop() == 0)
    }

    /// Huawei's receipts name the message themselves; what is broken is told by line, and ends with 1.
    @Test func takesReceiptsOfHuawei() throws {
        try self.hub.start()
        let uids = try self.mint(2, provider: "android-huawei")
        #expect(uids.allSatisfy { $0.utf8.count <= 64 }, "bi_tag takes 64 bytes")
        let foreign = SendMessageID(
            account: 2, campaign: 1, resource: 0, channel: .push, subscription: 1, profile: ProfileID(1),
            sentAt: WallClock.now(), launchedAt: WallClock.now(), provider: Provider(rawValue: 6), isTest: false,
            privacy: .keepAddress
        ).text()
        func status(_ tag: String, _ code: Int) -> String {
            "{\"biTag\":\"\(tag)\",\"status\":\(code),\"timestamp\":\(WallClock.now() / 1_000_000),\"requestId\":\"r\"}"
        }
        let finished = try self.ingest(
            "hms-receipt",
            input: """
                {"statuses":[\(status(uids[0], 0)),\(status(uids[1], 2)),\(status("spring", 0))]}
                {"statuses":[\(status(uids[1], 0)),\(status(foreign, 0))]}
                {"statuses":[
                """)
        #expect(finished.status == 1)
        #expect(
            finished.diagnostics.lines == [
                "line 3: malformed_json: The JSON breaks at byte 13: unexpected_end.",
                "line 2: wrong_account: This belongs to another account than the API token.",
            ])
        #expect(
            finished.output.lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "lines 3", "accepted 2", "ignored 2", "status 2 1", "unknown message 1", "refused 2",
                "malformed_json 1", "wrong_account 1",
            ])
        #expect(try self.hub.waitForEvents(acks: 2, opens: 0))
        #expect(self.hub.stop() == 0)
    }

    /// Lines go as they are, and wait for a hub that is away.
    @Test func waitsForTheHub() throws {
        let uids = try self.mint(2, provider: "ios-apns")
        let lines =
            uids.map { "{\"uid\":\"\($0)\",\"kind\":\"open\"}\n" }.joined() + "{\"uid\":\"x\",\"kind\":\"open\"}\n"
        try self.folder.write(lines, to: "events")
        let process = try self.deployment.spawn([
            "ingest", "--format", "ndjson", "--url", self.hub.url, "--token", self.token, self.folder.file("events"),
        ])
        try self.hub.start()
        #expect(process.wait(deadline: .seconds(30)) == 1)
        #expect(process.standardError.trimmed == "line 3: invalid_fields: /uid: Names no message: unknown_form.")
        #expect(try self.hub.waitForEvents(acks: 0, opens: 2))
        #expect(self.hub.stop() == 0)
        let absent = try self.ingest("ndjson", ["--patience-seconds", "1"], input: lines)
        #expect(absent.status == 1)
        #expect(absent.diagnostics.contains("so far 0 accepted"))
        #expect(absent.diagnostics.contains("Connection refused"))
    }

    /// A dry run prints the lines, asks nobody and needs neither URL nor token.
    @Test func showsWhatItWouldSend() throws {
        let uid = try self.mint(1, provider: "android-firebase")[0]
        try self.folder.write("0:1%a,\(uid)", to: "map.csv")
        let finished = try self.deployment.run(
            ["ingest", "--format", "fcm-bigquery", "--map", self.folder.file("map.csv"), "--dry-run", "-"],
            input:
                "{\"event\":\"MESSAGE_DELIVERED\",\"message_id\":\"0:1%a\",\"event_timestamp\":\"2020-02-02 02:40:00 UTC\"}"
        )
        #expect(finished.status == 0)
        #expect(
            finished.output
                == "{\"uid\":\"\(uid)\",\"kind\":\"ack\",\"at\":\"2020-02-02T02:40:00Z\",\"id\":\"0:1%a\"}\n")
        #expect(finished.diagnostics.lines.first?.hasPrefix("lines") == true)
    }

    /// A wrong command line is told before anything is read or sent.
    @Test(arguments: [
        (["--format", "csv", "-"], "known are fcm-bigquery, hms-receipt, ndjson"),
        (["--format", "fcm-bigquery", "--url", "http://h", "--token", "t", "-"], "--map is missing"),
        (["--format", "ndjson", "--map", "m", "--url", "http://h", "--token", "t", "-"], "--map is for"),
        (["--format", "ndjson", "--url", "https://h", "-"], "--url: 'https://h' is not like"),
        (["--format", "ndjson", "--url", "http://h"], "FILE is missing"),
        (["-"], "--format is missing"),
    ])
    func refusesWrongCommandLines(words: [String], problem: String) throws {
        let finished = try self.deployment.run(["ingest"] + words)
        #expect(finished.status == 2)
        #expect(finished.diagnostics.contains(problem), "\(finished.diagnostics)")
        #expect(finished.output.isEmpty)
    }
}
