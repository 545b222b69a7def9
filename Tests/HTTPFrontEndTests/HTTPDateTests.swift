import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct HTTPDateTests {
    /// Known moments, a leap day among them, in IMF-fixdate.
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func writesKnownMoments(seconds: Int, text: String) {
        var bytes = [UInt8](repeating: 0, count: HTTPDate.byteCount)
        bytes.withUnsafeMutableBytes { HTTPDate.write(seconds: seconds, to: $0) }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
