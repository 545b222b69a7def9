import HTTPFrontEnd

/// The body types that the API and the dialects take.
enum MediaType: String, Sendable, CaseIterable {
    case json = "application/json"
    case text = "text/plain"
    case ndjson = "application/x-ndjson"
    case xml = "application/xml"
    case textXML = "text/xml"

    /// Which of `accepted` the body is. All are UTF-8 (JSON by RFC 8259 section 8.1), so another charset is refused, and so
    /// is a compressed body, before it is read as garbage.
    static func of(_ request: HTTPRequest, among accepted: [MediaType]) throws(Problem) -> MediaType {
        let field = (request.header("content-type") ?? "").lowercased()
        let parts = field.split(separator: ";").map(Self.trimmed)
        let encoding = request.header("content-encoding").map { $0.lowercased() } ?? "identity"
        let type = accepted.first { parts.first?.elementsEqual($0.rawValue) == true }
        guard let type, encoding == "identity" else { throw .unsupportedMediaType(accepted) }
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }
        guard charset == nil || charset == "charset=utf-8" || charset == "charset=\"utf-8\"" else {
            throw .unsupportedMediaType(accepted)
        }
        return type
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
        return start[...end]
    }
}
