import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct HTTPResponseTests {
    /// Statuses without a body say no length and send none.
    @Test(arguments: [204, 304])
    func someStatusesHaveNoBody(status: Int) {
        let response = HTTPResponse(status: status, body: Array("x".utf8))
        #expect(!String(decoding: response.bytes.head, as: UTF8.self).contains("Content-Length"))
        #expect(response.bytes.body.isEmpty)
        #expect(response.status == status)
    }

    /// A line end in a field would be another field: a programming error.
    @Test func lineEndsInFieldsTrap() async {
        await #expect(processExitsWith: .failure) {
            _ = HTTPResponse(status: 200, headers: [(name: "X", value: "a\r\nB: c")])
        }
        await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 200, headers: [(name: "X:", value: "a")]) }
    }
}
