import EventStore
import MessageIDs
import Testing

@testable import HubServer

/// Pushwoosh's own forms: platforms, time, request ids, the list of applications.
@Suite
struct PushwooshFormTests {
    /// Every provider that the hub knows has one of Pushwoosh's platforms, an unknown one has none.
    @Test func knowsEveryProvidersPlatform() {
        let platforms = Provider.known.map { PushwooshPlatform.number(of: $0) }
        //                     1  2  3  4  5   6  7  8  9 20 21 30 31
        #expect(platforms == [3, 1, 1, 1, 3, 17, 1, 3, 3, 3, 1, 3, 1])
        #expect(PushwooshPlatform.number(of: Provider(rawValue: 200)) == 0)
    }

    /// The documented rule, at its edges.
    @Test(arguments: [
        (0, "minutely"), (180, "minutely"), (181, "hourly"), (1_440, "hourly"), (1_441, "daily"), (43_200, "daily"),
        (43_201, "monthly"), (525_600, "monthly"), (525_601, "yearly"),
    ])
    func choosesTheFormatter(minutes: Int64, formatter: String) {
        let width = PushwooshTime.width(spanMicroseconds: minutes * 60_000_000)
        #expect(PushwooshTime.formatter(width) == formatter)
    }

    @Test func writesTime() {
        #expect(PushwooshTime.text(0) == "1970-01-01 00:00:00")
        #expect(PushwooshTime.text(1_772_366_400_000_000) == "2026-03-01 12:00:00")
    }

    /// A request id says all that was asked, and has one text only.
    @Test func requestIDsHoldTheQuery() throws {
        let launch = try LaunchID(text: "2_4S_4HFn8RDhhmA")
        let cases: [(Set<Int64>, String)] = [
            ([], "2_4S_4HFn8RDhhmA"), ([1], "2_4S_4HFn8RDhhmA-1"), ([17, 3, 1], "2_4S_4HFn8RDhhmA-1-3-17"),
        ]
        for (platforms, text) in cases {
            let query = PushwooshStatisticsQuery(launch: launch, platforms: platforms)
            #expect(query.text == text)
            #expect(PushwooshStatisticsQuery(text: text) == query)
        }
    }

    @Test(arguments: [
        "", "-", "-1", "2_4S", "b3337d8ec78f67280a40a5b89050c0c0", "2_4S_4HFn8RDhhmA-", "2_4S_4HFn8RDhhmA-3-1",
        "2_4S_4HFn8RDhhmA-1-1", "2_4S_4HFn8RDhhmA-01", "2_4S_4HFn8RDhhmA-x", "2_4S_4HFn8RDhhmA-256",
        "2_4S_4HFn8RDhhmA--1", "2_4S_4HFn8RDhhmA-99999999999999999999", "12_4S_4HFn8RDhhmA",
    ])
    func refusesOtherRequestIDs(text: String) {
        #expect(PushwooshStatisticsQuery(text: text) == nil)
    }

    /// As many platforms as a call may name, and one more.
    @Test func limitsPlatforms() {
        let most = (0..<32).map { "-\($0)" }.joined()
        #expect(PushwooshStatisticsQuery(text: "2_4S_4HFn8RDhhmA" + most)?.platforms.count == 32)
        #expect(PushwooshStatisticsQuery(text: "2_4S_4HFn8RDhhmA" + most + "-32") == nil)
    }

    /// `CODE=ACCOUNT`, several codes of one account allowed; no list admits all.
    @Test func readsApplications() {
        var configuration = HubConfiguration()
        #expect(
            configuration.pushwooshApplications.admit("any")
                && configuration.pushwooshApplications.admit("any", account: 9))
        #expect(PushwooshApplications.read("12345-67890=1 , ABCDE-F0123 = 2,x=2", &configuration) == nil)
        let applications = configuration.pushwooshApplications
        #expect(applications.admit("12345-67890") && !applications.admit("12345-6789") && !applications.admit(""))
        #expect(applications.admit("ABCDE-F0123", account: 2) && applications.admit("x", account: 2))
        #expect(!applications.admit("ABCDE-F0123", account: 1) && !applications.admit("y", account: 2))
    }

    @Test(arguments: [
        "12345-67890", "12345-67890=", "=1", "12345-67890=0", "12345-67890=-1", "12345-67890=x", "a=1=2", "a b=1",
        "ä=1",
        "a=9223372036854775808", "a=1,a=2", "a=1,a=1",
    ])
    func refusesOtherApplications(text: String) {
        var configuration = HubConfiguration()
        #expect(PushwooshApplications.read(text, &configuration) != nil)
        #expect(PushwooshApplications.read(String(repeating: "a", count: 65) + "=1", &configuration) != nil)
        #expect(configuration.pushwooshApplications == PushwooshApplications())
    }
}
