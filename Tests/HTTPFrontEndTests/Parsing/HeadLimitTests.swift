import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct HeadLimitTests {
    private static func limits() -> HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytesMax = 40
        limits.headerBytesMax = 60
        limits.headerCountMax = 4
        return limits
    }

    private static func line(bytes: Int) -> String {
        "GET /" + String(repeating: "a", count: bytes - 14) + " HTTP/1.1\r\n"
    }

    /// A request line of the limit passes; one byte more is refused whether or not its end is there, in any split.
    @Test func requestLineLimitIsExact() {
        let atLimit = Self.line(bytes: 40) + "Host: a\r\n\r\n"
        guard case .head = ParseProbe.whole(atLimit, limits: Self.limits()) else {
            Issue.record("a line of the limit was refused")
            return
        }
        let over = Self.line(bytes: 41) + "Host: a\r\n\r\n"
        #expect(ParseProbe.whole(over, limits: Self.limits()) == .rejected(.requestLine))
        for split in ParseProbe.splits(Array(over.utf8), limits: Self.limits()) {
            #expect(split == .rejected(.requestLine))
        }
        let endless = String(repeating: "a", count: 42)
        #expect(ParseProbe.whole(endless, limits: Self.limits()) == .rejected(.requestLine))
    }

    /// The limit counts all field lines with their ends.
    @Test func headerBytesLimitIsExact() {
        func head(fieldBytes: Int) -> String {
            let rest = fieldBytes - "Host: a\r\nX: \r\n\r\n".utf8.count
            return "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: rest) + "\r\n\r\n"
        }
        guard case .head = ParseProbe.whole(head(fieldBytes: 60), limits: Self.limits()) else {
            Issue.record("fields of the limit were refused")
            return
        }
        let over = Array(head(fieldBytes: 61).utf8)
        #expect(ParseProbe.run(over, arrivals: [over.count], limits: Self.limits()) == .rejected(.headerBytes))
        for split in ParseProbe.splits(over, limits: Self.limits()) { #expect(split == .rejected(.headerBytes)) }
    }

    /// One field line over the count is refused before the head is complete.
    @Test func headerCountLimitIsExact() {
        func head(count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: b\r\n", count: count - 1) + "\r\n"
        }
        guard case .head = ParseProbe.whole(head(count: 4), limits: Self.limits()) else {
            Issue.record("fields of the limit were refused")
            return
        }
        let over = Array(head(count: 5).utf8)
        for split in ParseProbe.splits(over, limits: Self.limits()) { #expect(split == .rejected(.headerCount)) }
    }

    /// A head that drips in costs each byte once: the scanner never goes back.
    @Test func scannerResumesWhereItWas() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: y".utf8)
        var scanner = HeadScanner()
        _ = scanner.scan(bytes.span.bytes, limits: HTTPLimits())
        #expect(Int(scanner.offset) == bytes.count)
        #expect(scanner.hasBegun)
    }
}
