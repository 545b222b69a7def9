import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import HubServer

/// Reports on their way from a dialect to the counters.
@Suite(.blocking)
struct EventIntakeTests {
    /// A request repeated after a lost answer is stored again and counted once; without a name it counts each time.
    @Test func repeatedReportCountsOnce() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let intake = EventIntake(services: hub.hub.services)
            let message = hub.message()
            let client = intake.facts(
                of: HTTPRequest(
                    method: .post, methodName: "POST", path: "/", headers: [("user-agent", "okhttp/4.12.0")],
                    peer: try #require(SocketAddress(text: "192.0.2.1:4000"))))
            func report(_ kinds: [EventKind], named: Bool) async {
                let events = kinds.map { kind in
                    ReportedEvent(
                        kind: kind, message: message,
                        report: named ? ReportedEvent.report("request-1", kind.name) : nil)
                }
                #expect(await intake.store(events, .msdk, from: client, receivedAt: hub.now) == nil)
            }
            await report([.ack, .open], named: true)
            await report([.ack, .open], named: true)
            try await hub.settle()
            await report([.open, .ack], named: true)
            await report([.open], named: false)
            await report([.open], named: false)

            let events = try #require(try await hub.stored(message)).events
            #expect(events.map(\.kind).filter { $0 == .ack }.count == 1)
            #expect(events.map(\.kind).filter { $0 == .open }.count == 3)
            #expect(events.filter(\.isFirst).count == 2)
            let launch = message.launch
            let totals = try await hub.hub.services.pool.run {
                try Reports.launch(launch, includeTests: false, on: $0)
            }
            let row = try #require(totals).totals
            #expect((row.acked, row.opened, row.acksTotal, row.opensTotal) == (1, 1, 1, 3))
            #expect(try await hub.metrics()["ackhub_loader_repeated_reports_total"] == 4)
        }
    }
}
