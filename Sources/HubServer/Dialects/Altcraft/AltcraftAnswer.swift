import HTTPFrontEnd
import StrictJSON

/// The answer of every Altcraft call: `error`, which is 0 for success, and `error_text`.
///
/// Altcraft's own table of codes is not public; ours repeats the HTTP status. The one exception is a body that did not
/// come in time: its code is 408, its status 503, because Altcraft's SDKs delete an event on any 4xx and keep it on a 5xx.
struct AltcraftAnswer: Sendable, Equatable {
    enum Format: String, CaseIterable, Sendable {
        case json, xml
    }

    /// The HTTP status.
    let status: Int
    /// 0, or the code.
    let error: Int
    /// For people; holds no secret and no value from the request.
    let text: String

    /// As Altcraft words it.
    static let success = AltcraftAnswer(status: 200, error: 0, text: "Successful operation")

    init(_ refusal: DialectRefusal) {
        let (status, error) = Self.code(of: refusal.reason)
        self.init(status: status, error: error, text: refusal.detail)
    }

    private init(status: Int, error: Int, text: String) {
        self.status = status
        self.error = error
        self.text = text
    }

    private static func code(of reason: DialectRefusal.Reason) -> (status: Int, error: Int) {
        switch reason {
        case .malformed, .invalidArgument: (400, 400)
        case .unauthorized: (401, 401)
        case .forbidden: (403, 403)
        case .unknownMessage: (404, 404)
        case .timeout: (503, 408)
        case .tooLarge: (413, 413)
        case .unsupportedMediaType: (415, 415)
        case .internal: (500, 500)
        case .unavailable: (503, 503)
        }
    }

    func response(_ format: Format = .json) -> HTTPResponse {
        var headers: [(name: String, value: String)] = [
            ("Content-Type", "application/\(format.rawValue)"), ("Cache-Control", "no-store"),
        ]
        // RFC 9110 section 15.5.2; HttpURLConnection of older Androids fails on a 401 that does not have it.
        if self.status == 401 { headers.append(("WWW-Authenticate", "Bearer realm=\"ackhub\"")) }
        if self.status == 503 { headers.append(("Retry-After", Self.retryAfterSeconds)) }
        return HTTPResponse(status: self.status, headers: headers, body: format == .json ? self.json : self.xml)
    }

    private static let retryAfterSeconds = "5"

    private var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.number(self.error)
        json.key("error_text")
        json.string(self.text)
        json.endObject()
        return json.bytes
    }

    private var xml: [UInt8] {
        var escaped = ""
        for scalar in self.text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        return Array("\(declaration)<xml><error>\(self.error)</error><error_text>\(escaped)</error_text></xml>".utf8)
    }
}
