import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct ImagePreferenceTests {
    /// What browsers send for a picture asks for one.
    @Test(arguments: [
        "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "image/webp,*/*",
        "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "image/gif", "IMAGE/PNG",
        "image/*;q=0.8, text/html;q=0.7", "image/webp,image/avif,video/*;q=0.8,*/*;q=0.5", "image/gif ; q=0.5",
    ])
    func wantsImages(accept: String) {
        #expect(withBytes(accept) { ImagePreference.isWanted($0, $1) })
    }

    /// Everything else does not: pages, APIs, "anything", nonsense.
    @Test(arguments: [
        "", "*/*", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "application/json", "image/png;q=0", "image/png;q=0.000,*/*", "text/plain,image/png", "image", "imagine/png",
        "*/*;q=0.9,image/png;q=0.8", ",,;q=", "text/html;q=0.9,image/png;q=0.3",
    ])
    func wantsOthers(accept: String) {
        #expect(!withBytes(accept) { ImagePreference.isWanted($0, $1) })
    }
}
