import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// A launch's counters cut in time: every cut adds up to the launch's report.
@Suite(.blocking)
struct LaunchIntervalTests {
    private static let hour: UInt64 = 3_600
    private static let day: UInt64 = 86_400

    private func intervals(
        _ store: Store, _ width: LaunchIntervals.Width, of launch: LaunchID = Sample.launch, includeTests: Bool = false
    ) throws -> LaunchIntervals? {
        try Reports.intervals(of: launch, includeTests: includeTests, on: store.connection) { _ in width }
    }

    /// The microseconds that `width` is asked with.
    private func span(_ store: Store, includeTests: Bool = false) throws -> Int64? {
        var asked: Int64?
        _ = try Reports.intervals(of: Sample.launch, includeTests: includeTests, on: store.connection) {
            asked = $0
            return .hour
        }
        return asked
    }

    /// Nothing known is nil; a launch of test sends only is known, and empty.
    @Test func unknownLaunchIsNil() throws {
        let store = try Store()
        #expect(try self.intervals(store, .hour) == nil)
        #expect(try self.span(store) == nil)
        try store.load([Sample.sent(3, isTest: true)])
        #expect(try self.intervals(store, .hour) == LaunchIntervals(width: .hour, parts: []))
        #expect(try self.span(store) == 0)
        #expect(try self.intervals(store, .hour, includeTests: true)?.parts.map(\.row.sent) == [3])
        let other = LaunchID(account: 2, campaign: 7, launchedAt: Sample.launchedAt)
        #expect(try self.intervals(store, .hour, of: other) == nil)
    }

    /// Widths begin where UTC's clock and calendar turn, and lose nothing. The launch is at 12:00:00 on 2026-03-01.
    @Test func everyWidthAddsUpToTheReport() throws {
        let store = try Store()
        var records = [Sample.sent(40), Sample.sent(10, provider: 3)]
        // Acks of 20 messages, six hours apart: five days. Opens of 10 of them and of 5 others, 40 days later.
        for number in 0..<20 {
            records.append(Sample.ack(Sample.message(number), after: UInt64(number) * 6 * Self.hour))
        }
        for number in 10..<25 {
            records.append(Sample.open(Sample.message(number), after: 40 * Self.day + UInt64(number) * 60))
        }
        records.append(Sample.ack(Sample.message(0, provider: 3), after: 400 * Self.day))
        records.append(Sample.open(Sample.message(1), eventClass: .bot))
        try store.load(records)
        let report = try #require(try store.report())
        #expect(report.totals.sent == 50 && report.totals.delivered == 26 && report.totals.opened == 15)
        let lasts: [(LaunchIntervals.Width, String)] = [
            (.minute, "2027-04-05T12:00:00Z"), (.hour, "2027-04-05T12:00:00Z"), (.day, "2027-04-05T00:00:00Z"),
            (.month, "2027-04-01T00:00:00Z"), (.year, "2027-01-01T00:00:00Z"),
        ]
        for (width, last) in lasts {
            let parts = try #require(try self.intervals(store, width)).parts
            #expect(parts.reduce(into: ReportRow()) { $0 += $1.row } == report.totals, "\(width)")
            for (provider, row) in report.byProvider {
                #expect(parts.filter { $0.provider == provider }.reduce(into: ReportRow()) { $0 += $1.row } == row)
            }
            let times = parts.map(\.beginsAt)
            #expect(times == times.sorted())
            #expect(UnixTime.text(nanoseconds: UInt64(try #require(times.last)) * 1_000) == last, "\(width)")
        }
    }

    /// The span is that of counted messages: repeats a year later do not stretch it, and test sends only where asked for.
    @Test func spanIsOfCountedMessages() throws {
        let store = try Store()
        try store.load([
            Sample.sent(2), Sample.ack(Sample.message(0), after: 600),
            Sample.ack(Sample.message(0), after: 400 * Self.day),
            Sample.ack(Sample.message(1, isTest: true), after: 2 * Self.hour),
        ])
        #expect(try self.span(store) == 600_000_000)
        #expect(try self.span(store, includeTests: true) == 7_200_000_000)
    }
}
