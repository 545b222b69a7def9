import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HubServer

/// Collects log lines.
final class LogCollector: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { self.lines.withLock { $0 } }
    var text: String { self.all.joined() }

    func log(minimum: Log.Level = .debug, now: @escaping @Sendable () -> UInt64 = Log.systemTime) -> Log {
        Log(minimum: minimum, now: now) { line in
            self.lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
    }
}

@Suite(.blocking)
struct LogTests {
    /// A line is one JSON object with a line end, its time in UTC with milliseconds.
    @Test func writesOneObjectALine() throws {
        let collector = LogCollector()
        collector.log(now: { 1_601_987_755_942_397_338 }).write(
            .warning, "a \"b\"\n\u{1}\\", [("count", "3"), ("é", "ü")])
        let line = try #require(collector.all.first)
        #expect(line.hasSuffix("}\n") && line.filter { $0 == "\n" }.count == 1)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(
            object == [
                "time": "2020-10-06T12:35:55.942Z", "level": "warning", "message": "a \"b\"\n\u{1}\\", "count": "3",
                "é": "ü",
            ])
    }

    /// Dates at the edges of months, leap years and centuries.
    @Test(arguments: [
        (UInt64(0), "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_000, "2024-02-29T23:59:59.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (1_767_225_599_999, "2025-12-31T23:59:59.999Z"),
    ])
    func writesTime(milliseconds: UInt64, expected: String) {
        let collector = LogCollector()
        collector.log(now: { milliseconds * 1_000_000 }).write(.info, "x")
        #expect(collector.text.contains("\"time\":\"\(expected)\""))
    }

    /// What is below the least level is not written.
    @Test func leavesOutLowLevels() {
        let collector = LogCollector()
        let log = collector.log(minimum: .warning)
        for level in Log.Level.allCases { log.write(level, level.rawValue) }
        #expect(collector.all.count == 2)
    }

    /// Secrets do not get out even when somebody hands them over.
    @Test(arguments: [
        ("error", "GET /ack/AbCdEf0123456789 failed", "AbCdEf"),
        ("error", "GET /api/v1.1/pushes/crypto_post_events?/0a1b2c3d failed", "0a1b2c3d"),
        ("error", "Authorization: Bearer abc.def-ghi", "abc.def"),
        ("error", "authorization: Basic dXNlcjpwYXNz", "dXNlcj"),
        ("error", "no such token ackhub_3yZe7d", "3yZe7d"), ("error", "no key carillon_mk_3yZe7d", "3yZe7d"),
        ("error", "rtoken@s3cret is nobody's", "s3cret"),
        ("error", "connection to postgresql://u:hunter2@db/x failed", "hunter2"),
        ("error", "connection to \"host=db password=hunter2\" failed", "hunter2"),
        ("body", "{\"matching_mode\":\"push_sub\"}", "push_sub"),
        ("error", "POST /api/v1.1/pushes/post_events?token=s3cret&x failed", "s3cret"),
        ("body", "{\"token\": \"s3cret\"}", "s3cret"), ("body", "<token>s3cret</token>", "s3cret"),
        ("matching_mode", "push_sub", "push_sub"), ("Authorization", "abc", "abc"), ("token", "abc", "abc"),
        ("url", "https://hub/x", "hub/x"),
    ])
    func hidesSecrets(field: String, value: String, secret: String) {
        let collector = LogCollector()
        collector.log().write(.error, "it failed", [(field, value)])
        collector.log().write(.error, value.contains(" ") || value.contains("{") ? value : "it failed")
        #expect(!collector.text.contains(secret))
        #expect(collector.all.count == 2)
    }

    /// A value without end is cut, and the line stays valid.
    @Test func cutsLongValues() throws {
        let collector = LogCollector()
        collector.log().write(.info, String(repeating: "ü", count: 100_000))
        #expect(collector.text.utf8.count < 2_000)
        _ = try JSONSerialization.jsonObject(with: Data(collector.text.utf8))
    }

    /// A repeated fault gives one line in ten seconds, which tells how many were left out; others are not affected.
    @Test func limitsRepeatedFaults() {
        let collector = LogCollector()
        let clock = Mutex<UInt64>(1_000_000_000_000)
        let log = collector.log(now: { clock.withLock { $0 } })
        for _ in 0..<1_000 { log.writeLimited(key: "a", .error, "a") }
        log.writeLimited(key: "b", .error, "b")
        #expect(collector.all.count == 2)
        clock.withLock { $0 += 10_000_000_000 }
        log.writeLimited(key: "a", .error, "a")
        #expect(collector.all.count == 3)
        #expect(collector.all[2].contains("\"suppressed\":\"999\""))
    }

    /// However many keys there are, the limiter's memory stays bounded.
    @Test func boundsTheLimiter() {
        let limiter = LogLimiter()
        for index in 0..<10_000 { #expect(limiter.admit("key \(index)", at: UInt64(index)) == 0) }
        #expect(limiter.admit("key 9999", at: 10_000) == nil)
        #expect(limiter.admit("key 0", at: 10_000) == 0)
    }
}
