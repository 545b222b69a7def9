import HTTPFrontEnd

/// The few answers that devices get, each made once (design section 5).
///
/// All may be read by a web page of any origin, without credentials, and none may be kept by a cache: a hit that a cache
/// answers is a hit that is not counted.
struct DeviceResponses {
    let hit = HTTPResponse(status: 204, headers: Self.common)
    let image = HTTPResponse(status: 200, headers: Self.common + [("Content-Type", "image/gif")], body: Self.gif)
    let preflight = HTTPResponse(
        status: 204,
        headers: Self.common + [
            ("Access-Control-Allow-Methods", "GET, POST, HEAD, OPTIONS"), ("Access-Control-Allow-Headers", "*"),
            ("Access-Control-Max-Age", "86400"), ("Allow", Self.methods),
        ])
    let methodNotAllowed = problem(405, "Method Not Allowed", "method_not_allowed", [("Allow", Self.methods)])
    /// The same for every way in which a link can be wrong: it tells an attacker nothing.
    let notFound = problem(404, "Not Found", "not_found")
    let gone = problem(410, "Gone", "link_expired")
    /// Never 429: the SDKs drop an event on any 4xx.
    let refused = problem(503, "Service Unavailable", "spool_unavailable", [("Retry-After", "5")])
    let draining = problem(503, "Service Unavailable", "draining", [("Retry-After", "1")])

    private static let methods = "GET, POST, HEAD, OPTIONS"
    private static let common: [(name: String, value: String)] = [
        ("Cache-Control", "no-store"), ("Access-Control-Allow-Origin", "*"),
    ]

    private static func problem(
        _ status: Int, _ title: String, _ code: String, _ headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: Self.common + headers + [("Content-Type", "application/problem+json")],
            body: Array(
                "{\"type\":\"about:blank\",\"title\":\"\(title)\",\"status\":\(status),\"code\":\"\(code)\"}".utf8))
    }

    /// One transparent pixel in 43 bytes (GIF89a, a colour table of two, a graphic control extension).
    static let gif: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF,
        0xFF,
        0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00,
        0x02,
        0x02, 0x44, 0x01, 0x00, 0x3B,
    ]
}
