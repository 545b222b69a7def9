import TestSupport
import Testing

@testable import HubLinks

@Suite
struct CMACTests {
    private static let key = Hex.bytes("2b7e151628aed2a6abf7158809cf4f3c")
    private static let message = Hex.bytes(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
            + "f69f2445df4f9b17ad2b417be66c3710")

    private func cmac() throws -> CMAC {
        try Self.key.withUnsafeBytes { bytes throws(KeyRingError) in try CMAC(key: bytes) }
    }

    /// RFC 4493 section 4, in every order: one context makes all, so what the call before left must not show.
    @Test func givesTheVectorsOneAfterAnother() throws {
        let vectors: [(Int, String)] = [
            (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
            (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
        ]
        let cmac = try self.cmac()
        for (count, tag) in vectors + vectors.reversed() {
            let computed = Self.message[..<count].withUnsafeBytes { cmac.tag(of: $0) }
            #expect(withUnsafeBytes(of: computed.bigEndian, Array.init) == Hex.bytes(tag))
        }
    }

    /// A mask is XORed into the last 16 bytes, wherever they begin.
    @Test(arguments: [16, 17, 31, 32, 33, CMAC.messageBytesMax])
    func masksTheEnd(_ count: Int) throws {
        let cmac = try self.cmac()
        let mask: UInt128 = 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var masked = message
        for index in 0..<16 { masked[count - 16 + index] ^= UInt8(index + 1) }
        let tag = message.withUnsafeBytes { cmac.tag(of: $0, mask: mask) }
        #expect(tag == masked.withUnsafeBytes { cmac.tag(of: $0) })
        #expect(tag != message.withUnsafeBytes { cmac.tag(of: $0) })
    }
}
