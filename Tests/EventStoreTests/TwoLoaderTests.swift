import Foundation
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Two hubs on one database.
@Suite(.blocking)
struct TwoLoaderTests {
    /// 200 hits on one message and 50 on a launch from each, in many small batches and opposite order: exact, no deadlock.
    @Test func overlappingHubsAreExactWithoutDeadlock() throws {
        let store = try Store()
        let one = Sample.message(0)
        let hits =
            (0..<200).map { $0 % 2 == 0 ? Sample.ack(one) : Sample.open(one) }
            + (1...50).map { Sample.open(Sample.message($0), after: UInt64($0)) }
            + (1...50).map { Sample.ack(Sample.message($0), after: UInt64($0) * 7) } + [Sample.sent(30, request: 1)]
        let sources = [RecordList(hits), RecordList(hits.reversed())]
        let loaders = (0..<2).map { hub in store.makeLoader(hub: UInt128(hub)) { $0.batchRecordsMax = 13 } }
        for (loader, source) in zip(loaders, sources) { loader.start(source) }
        defer { for loader in loaders { loader.stop() } }
        for (loader, source) in zip(loaders, sources) { try loader.waitUntilLoaded(source.end) }
        #expect(try store.row() == [30, 51, 0, 51, 300, 300])
        #expect(loaders.flatMap { $0.log("warning") } == [])
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 102)
        #expect(
            try store.integer("select deadlocks from pg_stat_database where datname = current_database()") == 0)
        #expect(try store.differences() == [])
    }

    /// Two hubs that meet a new day together, with messages in many days: neither fails.
    @Test func hubsMakeTheSameDaysAtOnce() throws {
        let store = try Store()
        let hits = (0..<8).flatMap { day in
            [
                Sample.ack(
                    Sample.message(day, sentAt: Sample.launchedAt + UInt64(day) * Sample.day),
                    after: UInt64(day) * 86_400)
            ]
        }
        let loaders = (0..<2).map { hub in store.makeLoader(hub: UInt128(hub)) { $0.batchRecordsMax = 1 } }
        let sources = [RecordList(hits), RecordList(hits.reversed())]
        for (loader, source) in zip(loaders, sources) { loader.start(source) }
        defer { for loader in loaders { loader.stop() } }
        for (loader, source) in zip(loaders, sources) { try loader.waitUntilLoaded(source.end) }
        #expect(try store.row() == [0, 8, 0, 0, 16, 0])
        #expect(
            try store.integer("select deadlocks from pg_stat_database where datname = current_database()") == 0)
        #expect(try store.differences() == [])
    }
}
