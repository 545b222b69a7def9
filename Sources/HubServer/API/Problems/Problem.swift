import HTTPFrontEnd
import StrictJSON

/// An answer that says what went wrong: RFC 9457, `application/problem+json`.
///
/// `type` stays `about:blank`, so that `title` is the status's own phrase; what programs should branch on is `code`.
struct Problem: Error, Sendable {
    var status: Int
    /// Stable, for programs.
    var code: String
    /// For people; never holds a secret or a value from the request.
    var detail: String
    var faults = FieldFaults()
    /// The byte of the body at which its JSON breaks.
    var offset: Int?
    var headers: [(name: String, value: String)] = []

    init(_ status: Int, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    func with(_ name: String, _ value: String) -> Problem {
        var problem = self
        problem.headers.append((name, value))
        return problem
    }

    var response: HTTPResponse {
        var json = JSONWriter()
        json.beginObject()
        json.key("type")
        json.string("about:blank")
        json.key("title")
        json.string(Self.title(of: self.status))
        json.key("status")
        json.number(Int64(self.status))
        self.writeMembers(to: &json)
        json.endObject()
        return HTTPResponse(
            status: self.status,
            headers: [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + self.headers,
            body: json.bytes)
    }

    /// `code`, `detail`, `errors`: what an NDJSON line's error has too.
    func writeMembers(to json: inout JSONWriter) {
        json.key("code")
        json.string(self.code)
        json.key("detail")
        json.string(self.detail)
        if let offset = self.offset {
            json.key("offset")
            json.number(Int64(offset))
        }
        guard !self.faults.isEmpty else { return }
        json.key("errors")
        json.beginArray()
        for fault in self.faults.listed {
            json.beginObject()
            switch fault.place {
            case .pointer(let pointer):
                json.key("pointer")
                json.string(pointer)
            case .parameter(let name):
                json.key("parameter")
                json.string(name)
            }
            json.key("code")
            json.string(fault.code.rawValue)
            json.key("detail")
            json.string(fault.detail)
            json.endObject()
        }
        json.endArray()
        if self.faults.total > self.faults.listed.count {
            json.key("errors_total")
            json.number(Int64(self.faults.total))
        }
    }

    /// `{"error":{"code":…,"detail":…,"errors":[…]}}`: the problem in the place of what it kept from being answered.
    var inPlace: [UInt8] { self.inPlace { _ in } }

    /// The same with the number of an NDJSON line, and its line feed.
    func line(_ number: UInt64) -> [UInt8] {
        let error = self.inPlace { json in
            json.key("line")
            json.number(Int64(clamping: number))
        }
        return error + [UInt8(ascii: "\n")]
    }

    private func inPlace(_ writeMore: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.beginObject()
        self.writeMembers(to: &json)
        writeMore(&json)
        json.endObject()
        json.endObject()
        return json.bytes
    }

    private static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
