import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APISentTests {
    /// A sender's own counts land in the launch's report, by provider, once per key.
    @Test func countsWhatASenderTells() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let launch = LaunchID(account: account, campaign: 5, launchedAt: 1_790_000_000_000_000_000).text
        let bodies = [
            ("{\"provider\":\"android-firebase\",\"count\":10}", "a"),
            ("{\"provider\":\"android-firebase\",\"count\":10}", "a"),
            ("{\"provider\":3,\"count\":\"7\",\"resource_id\":9,\"channel\":\"push\"}", nil),
            ("{\"provider\":3,\"count\":1,\"test\":true}", nil),
        ]
        for (body, key) in bodies {
            let reply = try await hub.send(
                "POST", "/v1/launches/\(launch)/sent", token: token,
                headers: key.map { ["idempotency-key": $0] } ?? [:],
                body: body)
            #expect(reply.status == 204)
            #expect(reply.body.isEmpty)
        }
        #expect(try await hub.totals(launch, token)["sent"] == .number("17"))
        let report = try await hub.get("/v1/reports/launches/\(launch)?test=include", token).json
        let byProvider = (report["by_provider"]?.items ?? []).map { "\($0["provider"]?.text ?? "") \($0["sent"]!)" }
        #expect(byProvider.sorted() == ["android-firebase number(\"10\")", "ios-apns number(\"8\")"])
    }

    /// Every bad field is named.
    @Test(arguments: [
        ("{}", ["/provider required", "/count required"]), ("[]", [" type"]),
        ("{\"provider\":null,\"count\":null}", ["/provider required", "/count required"]),
        (
            "{\"provider\":\"x\",\"count\":0,\"resource_id\":-1,\"channel\":\"x\",\"test\":\"x\",\"campaign_id\":1}",
            [
                "/provider unknown_value", "/count out_of_range", "/resource_id out_of_range", "/channel unknown_value",
                "/test type", "/campaign_id unknown_field",
            ]
        ),
        ("{\"provider\":1,\"count\":1000000001}", ["/count out_of_range"]),
        ("{\"provider\":1,\"count\":1.5}", ["/count invalid"]),
    ])
    func namesEveryBadField(body: String, faults: [String]) async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let launch = LaunchID(account: account, campaign: 5, launchedAt: 1).text
        let reply = try await hub.send(
            "POST", "/v1/launches/\(launch)/sent", token: try await hub.token(account), body: body)
        #expect(reply.status == 422)
        #expect(reply.faults == faults)
    }
}
