import EventSpool
import EventStore
import HTTPFrontEnd
import PushPayloads
import StrictJSON

/// Every problem that the API answers with, so that their codes stand in one place.
extension Problem {
    static let unknownPath = Problem(404, "unknown_path", "There is nothing at this path.")

    static func methodNotAllowed(_ allowed: [HTTPMethod]) -> Problem {
        let names = allowed.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0 == .post ? "POST" : "\($0)".uppercased()] }
        return Problem(405, "method_not_allowed", "This path takes \(names.joined(separator: ", ")).")
            .with("Allow", names.joined(separator: ", "))
    }

    static let missingToken = Problem(
        401, "missing_token", "Send an API token: Authorization: Bearer <token>."
    ).with("WWW-Authenticate", "Bearer realm=\"ackhub\"")

    static let invalidToken = Problem(
        401, "invalid_token", "The API token is unknown or revoked."
    ).with("WWW-Authenticate", "Bearer realm=\"ackhub\", error=\"invalid_token\"")

    static func insufficientScope(_ scope: TokenScope) -> Problem {
        Problem(403, "insufficient_scope", "The API token lacks the scope \(scope.rawValue).")
            .with(
                "WWW-Authenticate",
                "Bearer realm=\"ackhub\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
    }

    static let wrongAccount = Problem(403, "wrong_account", "This belongs to another account than the API token.")

    static func unsupportedMediaType(_ accepted: [MediaType]) -> Problem {
        let names = accepted.map(\.rawValue).joined(separator: ", ")
        return Problem(415, "unsupported_media_type", "This path takes a body of type \(names), in UTF-8, not encoded.")
            .with("Accept-Post", names)
    }

    static func malformedJSON(_ error: JSONError) -> Problem {
        var problem = Problem(400, "malformed_json", "The JSON breaks at byte \(error.offset): \(error.code).")
        problem.offset = error.offset
        return problem
    }

    /// `invalid_fields`, or the code that all faults share where a sender may want to branch on that alone.
    static func invalidFields(_ faults: FieldFaults) -> Problem {
        var problem = Problem(
            422, Self.telling(faults) ?? "invalid_fields",
            faults.total == 1 ? "One field is invalid." : "\(faults.total) fields are invalid.")
        problem.faults = faults
        return problem
    }

    private static let tellingCodes: Set<FieldFault.Code> = [.emptyPayload, .payloadTooLarge, .invalidImageURL]

    private static func telling(_ faults: FieldFaults) -> String? {
        guard let code = faults.listed.first?.code, Self.tellingCodes.contains(code),
            faults.listed.count == faults.total, faults.listed.allSatisfy({ $0.code == code })
        else { return nil }
        return code.rawValue
    }

    static func invalidParameters(_ faults: FieldFaults) -> Problem {
        var problem = Problem(
            422, "invalid_parameters",
            faults.total == 1 ? "One query parameter is invalid." : "\(faults.total) query parameters are invalid.")
        problem.faults = faults
        return problem
    }

    static let invalidIdempotencyKey = Problem(
        400, "invalid_idempotency_key",
        "Idempotency-Key must be one field of 1 to \(IdempotencyKey.bytesMax) printable ASCII characters.")

    static let idempotencyKeyReused = Problem(
        422, "idempotency_key_reused", "This Idempotency-Key came with another request within the last 24 hours.")

    static let tooManyLaunches = Problem(
        413, "too_many_launches",
        "A request with an Idempotency-Key may touch \(SentTally.keptMax) combinations of launch, resource, channel, "
            + "provider, test flag and minute of sending.")

    static func unknownLaunch(_ detail: String = "Nothing is known of this launch.") -> Problem {
        Problem(404, "unknown_launch", detail)
    }

    static func unknownMessage(_ detail: String = "Nothing is known of this message.") -> Problem {
        Problem(404, "unknown_message", detail)
    }

    /// Seconds after which a client may try again what failed for want of the database or the spool.
    static let retryAfterSeconds = "5"

    static let databaseUnavailable = Problem(
        503, "database_unavailable", "The database cannot be reached at present; nothing was done."
    ).with("Retry-After", Problem.retryAfterSeconds)

    /// `spool_full`, `spool_disk_full`, `spool_failed`, `spool_closed`.
    static func spoolRefused(_ refusal: SpoolRefusal) -> Problem {
        Problem(503, "spool_\(refusal.rawValue)", "The hub cannot keep anything at present; nothing was counted.")
            .with("Retry-After", Problem.retryAfterSeconds)
    }

    static let internalError = Problem(500, "internal", "The hub failed; its log says why.")

    init(_ error: HTTPBodyError) {
        switch error {
        case .tooLarge: self.init(413, "body_too_large", "The body is larger than this hub takes in one request.")
        case .timeout: self.init(408, "body_timeout", "The body did not come in time.")
        case .malformed, .disconnected: self.init(400, "malformed_body", "The body's framing is broken.")
        }
    }
}
