import HTTPFrontEnd

/// Lets a page of any origin read an answer to a call with credentials (Fetch standard, "CORS protocol"). Then `*` is not
/// enough: the origin itself must come back.
///
/// That is safe here because the hub knows no ambient credential, such as a cookie, that a strange page could use.
enum CrossOrigin {
    /// Scheme, a host name of DNS and a port are shorter.
    private static let originBytesMax = 300

    /// None where the request has no Origin, or one that no browser writes.
    static func fields(for request: HTTPRequest) -> [(name: String, value: String)] {
        guard let origin = request.header("origin"), self.isOrigin(origin.utf8) else { return [] }
        return [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin"),
        ]
    }

    /// A serialised origin is ASCII without spaces (RFC 6454 section 6.2), or `null`.
    private static func isOrigin(_ text: String.UTF8View) -> Bool {
        !text.isEmpty && text.count <= self.originBytesMax && text.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
