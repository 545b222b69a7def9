import HTTPFrontEnd
import StrictJSON

/// Pushwoosh's envelope: `{"status_code":200,"status_message":"OK","response":null}`.
///
/// Every client takes a call for done by HTTP 200 and the *number* 200 in `status_code`; iOS goes back to its built-in base
/// URL when a reply lacks the member, and all of them move to another base URL when a reply has `base_url`. So the first
/// stands in every reply and the second in none. Android reads an error's body unasked and fails without one.
enum PushwooshReply {
    /// Seconds after which it may be better.
    private static let retryAfterSeconds = "5"

    static func success(
        _ call: DialectCall, _ writeResponse: (inout JSONWriter) -> Void = { $0.null() }
    ) -> HTTPResponse {
        self.envelope(status: 200, code: 200, "OK", call, writeResponse)
    }

    /// A reply without the envelope, as version 2 gives them.
    static func plain(_ json: JSONWriter, _ call: DialectCall) -> HTTPResponse {
        self.response(json, status: 200, call)
    }

    static func error(_ refusal: DialectRefusal, status: Int, code: Int, _ call: DialectCall) -> HTTPResponse {
        self.envelope(status: status, code: code, refusal.detail, call) { $0.null() }
    }

    /// With the same number in both places. Of these iOS tries 408, 500 and 503 again, and nothing else does.
    static func error(_ refusal: DialectRefusal, _ call: DialectCall) -> HTTPResponse {
        let status =
            switch refusal.reason {
            case .malformed, .invalidArgument: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .unknownMessage: 404
            case .timeout: 408
            case .tooLarge: 413
            case .unsupportedMediaType: 415
            case .internal: 500
            case .unavailable: 503
            }
        return self.error(refusal, status: status, code: status, call)
    }

    static func unknownMethod(_ call: DialectCall) -> DialectReport {
        DialectReport(
            response: self.envelope(status: 404, code: 404, "The hub has no such method.", call) { $0.null() })
    }

    /// Browsers ask first where a call has an Authorization field.
    static func preflight(_ call: DialectCall) -> DialectReport {
        var headers = [(name: "Cache-Control", value: "no-store"), (name: "Allow", value: "POST, OPTIONS")]
        let origin = CrossOrigin.fields(for: call.request)
        if !origin.isEmpty {
            headers += origin
            headers += [
                ("Access-Control-Allow-Methods", "POST"),
                ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
                ("Access-Control-Max-Age", "86400"),
            ]
        }
        return DialectReport(response: HTTPResponse(status: 204, headers: headers))
    }

    private static func envelope(
        status: Int, code: Int, _ message: String, _ call: DialectCall, _ writeResponse: (inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var json = JSONWriter()
        json.beginObject()
        json.key("status_code")
        json.number(code)
        json.member("status_message", message)
        json.key("response")
        writeResponse(&json)
        json.endObject()
        return self.response(json, status: status, call)
    }

    private static func response(_ json: JSONWriter, status: Int, _ call: DialectCall) -> HTTPResponse {
        var headers = [(name: "Content-Type", value: "application/json"), (name: "Cache-Control", value: "no-store")]
        if status == 503 { headers.append(("Retry-After", self.retryAfterSeconds)) }
        return HTTPResponse(status: status, headers: headers + CrossOrigin.fields(for: call.request), body: json.bytes)
    }
}
