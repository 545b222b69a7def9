import EventStore
import MessageIDs
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// Pushwoosh's message statistics, versions 1 and 2, over a real socket.
@Suite(.blocking)
struct DialectPushwooshStatisticsTests {
    /// A launch of 10 messages to Android, 5 to iOS and 2 to Huawei, of which some arrive and are opened.
    private struct Launch {
        var messages: [SendMessageID] = []
        var launch: LaunchID { self.messages[0].launch }

        init(_ hub: RunningHub, account: Int64 = 1) {
            let sentAt = hub.now
            for (number, provider) in ([1, 1, 1, 1, 3, 3, 6] as [UInt8]).enumerated() {
                var message = hub.message(Int64(number), account: account, sentAt: sentAt)
                message.provider = Provider(rawValue: provider)
                self.messages.append(message)
            }
        }

        /// Tells the hub of the sends by its own API.
        func send(_ hub: RunningHub, _ token: String) async throws {
            for (provider, count) in [("android-firebase", 10), ("ios-apns", 5), ("android-huawei", 2)] {
                let answer = try await hub.post(
                    "/v1/launches/\(self.launch.text)/sent", #"{"provider":"\#(provider)","count":\#(count)}"#, token)
                #expect(answer.status == 204)
            }
        }

        func report(_ hub: RunningHub, _ method: String, _ numbers: [Int]) async throws {
            for number in numbers {
                let hash = self.messages[number].text()
                let bytes = PushwooshClient.android.request(method, hash: hash)
                #expect(try await hub.pushwoosh(bytes: bytes).codes == [200, 200])
            }
        }
    }

    private func token(
        _ hub: RunningHub, account: Int64 = 1, _ scopes: Set<TokenScope> = [.report]
    ) async throws -> String {
        try await hub.hub.services.pool.run {
            try Tokens.create(account: account, scopes: scopes, name: "test", on: $0)
        }
    }

    /// Asks for a statistic and polls it once; `response`.
    private func version1(
        _ hub: RunningHub, _ token: String, _ launch: LaunchID, platforms: String? = nil
    ) async throws -> JSONValue {
        let method = platforms == nil ? "getMsgStats" : "getMsgPlatformsStats"
        let scheduled = try await hub.pushwoosh(
            "/json/1.3/\(method)",
            #"{"request":{"auth":"\#(token)","message":"\#(launch.text)"\#(platforms.map { ",\"platforms\":\($0)" } ?? "")}}"#
        )
        #expect(scheduled.codes == [200, 200] && scheduled.isHarmless)
        let id = try #require(scheduled.json["response"]?["request_id"]?.text)
        let results = try await hub.pushwoosh(
            "/json/1.3/getResults", #"{"request":{"auth":"\#(token)","request_id":"\#(id)"}}"#)
        #expect(results.codes == [200, 200] && results.isHarmless)
        return try #require(results.json["response"])
    }

    /// `send delivery open` of a conversion, and of the rows' or metrics' sums, which must be the same.
    private func sums(_ response: JSONValue) throws -> [Int64] {
        let conversion = ["send", "delivery", "open"].map { response["conversion"]?[$0]?.int64 ?? -1 }
        var sums: [Int64] = [0, 0, 0]
        for row in response["rows"]?.items ?? [] {
            let place = try #require(["send", "delivery", "open"].firstIndex(of: row["action"]?.text ?? ""))
            sums[place] += try #require(row["count"]?.int64)
        }
        for metric in response["metrics"]?.items ?? [] {
            for (place, name) in ["sends", "deliveries", "opens"].enumerated() {
                sums[place] += try #require(metric[name]?.text.flatMap { Int64($0) })
            }
        }
        #expect(sums == conversion)
        return sums
    }

    /// Both versions, all platforms and some, give the launch report's own numbers, at any time of the launch's life.
    @Test func saysWhatTheLaunchReportSays() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let token = try await self.token(hub, [.report, .mint])
            let launch = Launch(hub)
            try await launch.send(hub, token)
            // Messages 0, 4, 6 arrive; 0 and 5 are opened, 0 on a second device too; 5 never told of its arrival.
            try await launch.report(hub, "messageDeliveryEvent", [0, 4, 6])
            try await launch.report(hub, "pushStat", [0, 5])
            let again = PushwooshClient.iOS.request("pushStat", hash: launch.messages[0].text())
            #expect(try await hub.pushwoosh(bytes: again).codes == [200, 200])
            try await hub.settle()
            let first = try await self.version1(hub, token, launch.launch)
            #expect(first["formatter"]?.text == "minutely")
            #expect(try self.sums(first) == [17, 4, 2])

            hub.advanceClock(days: 2)
            try await launch.report(hub, "messageDeliveryEvent", [1])
            try await launch.report(hub, "pushStat", [1])
            try await hub.settle()
            let daily = try await self.version1(hub, token, launch.launch)
            #expect(daily["formatter"]?.text == "daily")
            #expect(try self.sums(daily) == [17, 5, 3])
            let days = Set((daily["rows"]?.items ?? []).compactMap { $0["datetime"]?.text })
            #expect(days.count >= 2 && days.allSatisfy { $0.count == 19 && $0.hasSuffix(" 00:00:00") })

            hub.advanceClock(days: 40)
            try await launch.report(hub, "pushStat", [2])
            let report = try await self.report(hub, launch.launch)
            #expect(report.totals.sent == 17 && report.totals.delivered == 6 && report.totals.opened == 4)
            #expect(report.totals.opensTotal == 5)
            let monthly = try await self.version1(hub, token, launch.launch)
            #expect(monthly["formatter"]?.text == "monthly")
            #expect(try self.sums(monthly) == [17, 6, 4])

            let platforms: [(String, [Int64])] = [
                ("[]", [17, 6, 4]), ("[1]", [5, 2, 1]), ("[3]", [10, 3, 3]), ("[17]", [2, 1, 0]),
                ("[1,17]", [7, 3, 1]),
                ("[8,0]", [0, 0, 0]),
            ]
            for (numbers, expected) in platforms {
                let one = try await self.version1(hub, token, launch.launch, platforms: numbers)
                #expect(try self.sums(one) == expected, "\(numbers)")
                let two = try await self.version2(hub, "Bearer \(token)", launch.launch, platforms: numbers)
                #expect(two.response.status == 200)
                #expect(try self.sums(two.json) == expected, "\(numbers)")
            }
        }
    }

    private func report(_ hub: RunningHub, _ launch: LaunchID) async throws -> LaunchReport {
        try await hub.settle()
        let report = try await hub.hub.services.pool.run { try Reports.launch(launch, includeTests: false, on: $0) }
        return try #require(report)
    }

    private func version2(
        _ hub: RunningHub, _ authorization: String?, _ launch: LaunchID, platforms: String = "[]"
    ) async throws -> PushwooshAnswer {
        try await hub.pushwoosh(
            "/api/v2/statistics/messages/totalsByIntervals",
            #"{"message_code":"\#(launch.text)","platforms":\#(platforms)}"#,
            fields: ["Content-Type: application/json"] + (authorization.map { ["Authorization: \($0)"] } ?? []))
    }

    /// Version 2's body: hours and platforms in order, counts as strings; a bare token, or any scheme before it.
    @Test func writesTotalsByIntervals() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let token = try await self.token(hub)
            let launch = Launch(hub)
            try await launch.report(hub, "pushStat", [6, 0, 4, 1])
            try await hub.settle()
            for authorization in [token, "Bearer \(token)", "Token \(token)", "Api  \(token)"] {
                let answer = try await self.version2(hub, authorization, launch.launch)
                #expect(answer.response.status == 200)
                let metrics = answer.json["metrics"]?.items ?? []
                // More than one a platform where the test runs over a full hour.
                let places = metrics.map { "\($0["timestamp"]?.text ?? "") \(100 + ($0["platform"]?.int64 ?? 0))" }
                #expect(places == places.sorted() && Set(places).count == metrics.count)
                var opens: [Int64: Int] = [:]
                for metric in metrics {
                    let platform = try #require(metric["platform"]?.int64)
                    opens[platform, default: 0] += try #require(metric["opens"]?.text.flatMap { Int($0) })
                    #expect(metric["sends"]?.text == "0" && metric["deliveries"]?.text == metric["opens"]?.text)
                    for name in ["inbox_opens", "unshowable_sends", "errors"] { #expect(metric[name]?.text == "0") }
                    #expect(metric["timestamp"]?.text?.hasSuffix(":00:00") == true)
                }
                #expect(opens == [1: 1, 3: 2, 17: 1])
            }
        }
    }

    /// Without the right token, of the right account, for a launch that exists, there are no figures.
    @Test func refusesStrangers() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let launch = Launch(hub)
            try await launch.report(hub, "pushStat", [0])
            try await hub.settle()
            let code = launch.launch.text
            let right = try await self.token(hub)
            let mint = try await self.token(hub, [.mint, .ingest, .device])
            let foreign = try await self.token(hub, account: 2)
            let unknown = LaunchID(account: 1, campaign: 999, launchedAt: 1).text
            let cases: [(auth: String, code: String, version1: [Int64], version2: Int)] = [
                ("ackhub_x", code, [401, 401], 401), (mint, code, [403, 403], 403), (foreign, code, [403, 403], 403),
                (right, "XXXX-XXXXXXXX-XXXXXXXX", [200, 210], 400), (right, "", [200, 210], 400),
                (right, unknown, [200, 210], 404), (right, code, [200, 200], 200),
            ]
            for test in cases {
                let results = try await hub.pushwoosh(
                    "/json/1.3/getResults", #"{"request":{"auth":"\#(test.auth)","request_id":"\#(test.code)"}}"#)
                #expect(results.codes == test.version1 && results.isHarmless, "\(test)")
                if test.code != unknown {
                    for method in ["getMsgStats", "getMsgPlatformsStats"] {
                        let scheduled = try await hub.pushwoosh(
                            "/json/1.3/\(method)", #"{"request":{"auth":"\#(test.auth)","message":"\#(test.code)"}}"#)
                        #expect(scheduled.codes == test.version1 && scheduled.isHarmless, "\(test)")
                    }
                }
                let totals = try await hub.pushwoosh(
                    "/api/v2/statistics/messages/totalsByIntervals", #"{"message_code":"\#(test.code)"}"#,
                    fields: ["Content-Type: application/json", "Authorization: \(test.auth)"])
                #expect(totals.response.status == test.version2, "\(test)")
            }
            #expect(try await self.version2(hub, nil, launch.launch).codes == [401, 401])
            for auth in ["", #""auth":null,"#, #""auth":7,"#] {
                let answer = try await hub.pushwoosh(
                    "/json/1.3/getMsgStats", #"{"request":{\#(auth)"message":"\#(code)"}}"#)
                #expect(answer.codes == [200, 210])
            }
            for platforms in [
                "7", "{}", "[\"1\"]", "[-1]", "[256]", "[1.5]", "[null]",
                "[\((0...32).map(String.init).joined(separator: ","))]",
            ] {
                let answer = try await hub.pushwoosh(
                    "/json/1.3/getMsgPlatformsStats",
                    #"{"request":{"auth":"\#(right)","message":"\#(code)","platforms":\#(platforms)}}"#)
                #expect(answer.codes == [200, 210], "\(platforms)")
                #expect(try await self.version2(hub, right, launch.launch, platforms: platforms).codes == [400, 400])
            }
        }
    }

    /// Without PostgreSQL there are no figures, but events go on.
    @Test func needsTheDatabase() async throws {
        try await RunningHub.run { hub async throws in
            let launch = Launch(hub)
            try await launch.report(hub, "pushStat", [0])
            let answer = try await hub.pushwoosh(
                "/json/1.3/getMsgStats", #"{"request":{"auth":"ackhub_x","message":"\#(launch.launch.text)"}}"#)
            #expect(answer.codes == [503, 503] && answer.isHarmless && answer.response.headers["retry-after"] == "5")
            #expect(try await self.version2(hub, "ackhub_x", launch.launch).codes == [503, 503])
        }
    }
}

extension RunningHub {
    /// A call of the hub's own API.
    fileprivate func post(_ path: String, _ body: String, _ token: String) async throws -> DeviceResponse {
        let bytes = PushwooshClient.request(
            path, ["Host: hub.test", "Content-Type: application/json", "Authorization: Bearer \(token)"],
            body: Array(body.utf8))
        let port = self.publicPort
        return try await onThread {
            let connection = try DeviceConnection(port: port)
            try connection.send(bytes)
            return try connection.read()
        }
    }
}
