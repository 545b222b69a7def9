import EventStore
import HTTPFrontEnd

/// One language in which clients report events: a file that turns a request into events, and an outcome into an answer.
///
/// All else is the same for every language and stands once, in `DialectRouter` and `EventIntake`: limits, the client's
/// address and class, privacy, the spool's durable answer, metrics.
struct Dialect: Sendable {
    let name: EventDialect
    /// Every path of the dialect, with its methods.
    let routes: [DialectRoute]
    /// The refusal as the dialect's clients read it.
    let answer: @Sendable (_ refusal: DialectRefusal, _ call: DialectCall) -> HTTPResponse

    /// Every dialect but the hub's own links. A new one is a file of its own and one line here.
    static let table: [Dialect] = [
        .postEvents, .altcraftSDK, .pushwoosh, .pushwooshVersion2, .carillon,
    ]
}

/// One path of a dialect.
struct DialectRoute: Sendable {
    var method: HTTPMethod
    var path: PathTemplate
    /// A larger body is refused with `tooLarge`.
    var bodyBytesMax: Int
    /// Understands the request. What it throws is answered in the dialect's form; nothing is stored then.
    var read: @Sendable (DialectCall) async throws -> DialectReport

    static let ordinaryBodyBytesMax = 64 << 10

    init(
        _ method: HTTPMethod, _ path: String, bodyBytesMax: Int = DialectRoute.ordinaryBodyBytesMax,
        _ read: @escaping @Sendable (DialectCall) async throws -> DialectReport
    ) {
        self.method = method
        self.path = PathTemplate(path)
        self.bodyBytesMax = bodyBytesMax
        self.read = read
    }
}

/// What a request reported, and its answer once that is on disk.
struct DialectReport: Sendable {
    var events: [ReportedEvent] = []
    /// Events that were named but are none of the hub's, or of a kind that it does not keep: ignored by contract.
    var ignored = 0
    var response: HTTPResponse
}

/// Why a request is refused; `detail` is for people and holds nothing of a credential.
struct DialectRefusal: Error, Sendable {
    /// Closed: also a metric's label.
    enum Reason: String, CaseIterable, Sendable {
        /// The body, or a field of it, is not what the dialect asks for.
        case malformed
        /// The body could be read, but an argument in it is missing or can't be one: for dialects that tell the two apart.
        case invalidArgument = "invalid_argument"
        case tooLarge = "too_large"
        case timeout
        case unsupportedMediaType = "unsupported_media_type"
        /// No credential, or one that is unknown, expired, revoked, or badly signed.
        case unauthorized
        /// A good credential of another account, or without the right.
        case forbidden
        /// The id is no message's of this hub.
        case unknownMessage = "unknown_message"
        /// The spool or the database can't take it now: the client should try again.
        case unavailable
        case `internal`
    }

    var reason: Reason
    var detail: String

    init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
