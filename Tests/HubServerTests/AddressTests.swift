import MessageIDs
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct AddressTests {
    /// Texts of addresses, with v4-mapped v6 read as v4.
    @Test(
        arguments: [
            ("1.2.3.4", 0x0102_0304, 4), ("::ffff:1.2.3.4", 0x0102_0304, 4), ("::FFFF:102:304", 0x0102_0304, 4),
            ("::1", 1, 16), ("2001:db8::1", UInt128(0x2001_0db8) << 96 | 1, 16), ("255.255.255.255", 0xFFFF_FFFF, 4),
            ("::1.2.3.4", 0x0102_0304, 16),
        ] as [(String, UInt128, Int)])
    func readsAddresses(text: String, value: UInt128, length: Int) {
        #expect(IPAddress(text: text) == IPAddress(value: value, length: length))
        #expect(IPAddress(text: text)?.length == length)
    }

    /// What is no address is none.
    @Test(arguments: [
        "", " ", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4x", "1.2.3.4 ", ":", ":::", "1::2::3", "fe80::1%eth0",
        "[::1]",
        "unknown", "1.2.3.4:80", "12345::", "1.2.3.4\u{0}", String(repeating: "1", count: 100),
    ])
    func refusesOthers(text: String) {
        #expect(IPAddress(text: text) == nil)
    }

    /// Masking keeps /24 of v4, mapped v4 too, and /48 of v6 (T42).
    @Test(arguments: [
        ("203.0.113.77", "203.0.113.0"), ("::ffff:203.0.113.77", "203.0.113.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
    ])
    func masks(text: String, masked: String) throws {
        #expect(try #require(IPAddress(text: text)).kept(by: .maskAddress) == IPAddress(text: masked))
        #expect(IPAddress.none.kept(by: .maskAddress) == .none)
    }

    /// Ranges hold what lies in them and nothing else, of their family only.
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.7/8", "10.1.1.1", true),
        ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("::/0", "1.2.3.4", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
        ("10.0.0.0/8", "::ffff:10.9.9.9", true), ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false),
    ])
    func rangesContain(range: String, address: String, isInside: Bool) throws {
        let range = try #require(CIDR(text: range))
        #expect(range.contains(try #require(IPAddress(text: address))) == isInside)
    }

    /// What is no range is refused.
    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/+8", "::/129", "10.0.0/8", "x/8",
        "::ffff:10.0.0.0/8", "10.0.0.0/ 8", "10.0.0.0/0008",
    ])
    func refusesOtherRanges(text: String) {
        #expect(CIDR(text: text) == nil)
    }
}
