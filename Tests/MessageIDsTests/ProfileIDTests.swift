import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct ProfileIDTests {
    /// Decimal, UUID and ObjectId all read; what prints reads back.
    @Test(arguments: [
        ("0", UInt128(0), "0"), ("42", 42, "42"),
        ("18446744073709551615", UInt128(UInt64.max), "18446744073709551615"),
        ("18446744073709551616", UInt128(UInt64.max) + 1, "00000000-0000-0001-0000-000000000000"),
        ("00000000-0000-0000-0000-00000000002a", 42, "42"),
        ("00000000-0000-0001-0000-000000000000", UInt128(1) << 64, "00000000-0000-0001-0000-000000000000"),
        ("FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF", UInt128.max, "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ("340282366920938463463374607431768211455", UInt128.max, "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ("5f7c44deaee17a447ab8c315", 0x5f7c_44de_aee1_7a44_7ab8_c315, "00000000-5f7c-44de-aee1-7a447ab8c315"),
        ("5F7C44DEAEE17A447AB8C315", 0x5f7c_44de_aee1_7a44_7ab8_c315, "00000000-5f7c-44de-aee1-7a447ab8c315"),
        // 24 decimal digits are an ObjectId: see the type.
        ("100000000000000000000000", UInt128(0x1000_0000_0000) << 48, "00000000-1000-0000-0000-000000000000"),
    ])
    func readsAndPrints(_ text: String, _ value: UInt128, _ printed: String) {
        #expect(ProfileID(text: text)?.value == value)
        #expect(ProfileID(value).text == printed)
        #expect(ProfileID(text: printed)?.value == value)
    }

    /// Nothing else is a profile.
    @Test(arguments: [
        "", "-1", "+1", "01", "00", " 1", "1 ", "0x1", "1e3", "a", "340282366920938463463374607431768211456",
        "5f7c44deaee17a447ab8c31", "5f7c44deaee17a447ab8c31g", "00000000-0000-0001-0000-00000000000",
        "00000000-0000-0001-0000_000000000000", "0000000000000001-0000-0000-000000000",
        "{00000000-0000-0001-0000-0000000000}",
        "٣", "1\u{0}",
    ])
    func refusesOtherTexts(_ text: String) { #expect(ProfileID(text: text) == nil) }

    /// Every value prints as what reads back to it.
    @Test func roundTripsRandomValues() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<2000 {
            let id = random.message().profile
            #expect(ProfileID(text: id.text) == id)
        }
    }
}
