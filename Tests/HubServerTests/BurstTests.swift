import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// Scanners that pass for browsers (T15).
@Suite(.blocking)
struct BurstTests {
    private static let browser = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0 Safari/537.36"
    private static let second: UInt64 = 1_000_000_000

    private func hit(
        _ detector: inout BurstDetector, _ link: Int64, at time: UInt64, agent: String = Self.browser,
        address: UInt128 = 7
    ) -> Bool {
        let message = SendMessageID(
            account: 1, campaign: 7, resource: 0, channel: Channel(rawValue: 2), subscription: link,
            profile: ProfileID(UInt128(link)), sentAt: 1, launchedAt: 1, provider: Provider(rawValue: 1), isTest: false,
            privacy: .keepAddress)
        return withBytes(agent) {
            detector.isBurst(
                address: IPAddress(value: address, length: 4), userAgent: $1, $0, message: message, now: time)
        }
    }

    /// Five different links within a second: the fifth and those after it are suspect.
    @Test func findsTheFifthLink() {
        var detector = BurstDetector(seed: 1)
        let verdicts = (1...7).map { self.hit(&detector, Int64($0), at: UInt64($0) * 100_000_000 + Self.second) }
        #expect(verdicts == [false, false, false, false, true, true, true])
    }

    /// The same link over and over is one eager reader (T01), not a scanner.
    @Test func leavesRepeatsAlone() {
        var detector = BurstDetector(seed: 1)
        for index in 0..<86 { #expect(!self.hit(&detector, 1, at: Self.second + UInt64(index) * 10_000_000)) }
    }

    /// Slower than five in a second is a person.
    @Test func leavesSlowReadersAlone() {
        var detector = BurstDetector(seed: 1)
        for index in 1...50 { #expect(!self.hit(&detector, Int64(index), at: UInt64(index) * 300_000_000)) }
    }

    /// After the burst the same browser is a person's again.
    @Test func forgetsAfterASecond() {
        var detector = BurstDetector(seed: 1)
        for index in 1...5 { _ = self.hit(&detector, Int64(index), at: Self.second) }
        #expect(!self.hit(&detector, 6, at: 3 * Self.second))
    }

    /// A thousand apps behind one address are no scanner, and neither are two browsers or two addresses.
    @Test func leavesSharedAddressesAlone() {
        var detector = BurstDetector(seed: 1)
        for index in 1...1_000 { #expect(!self.hit(&detector, Int64(index), at: Self.second, agent: "okhttp/4.12.0")) }
        for index in 1...4 { #expect(!self.hit(&detector, Int64(index), at: Self.second)) }
        #expect(!self.hit(&detector, 5, at: Self.second, agent: Self.browser + " x"))
        #expect(!self.hit(&detector, 5, at: Self.second, address: 8))
    }
}
