import EventStore
import HTTPFrontEnd
import Postgres
import StrictJSON

/// One authenticated request on its way through an endpoint.
struct APICall: Sendable {
    let services: HubServices
    let counters: APICounters
    let intake: EventIntake
    let request: HTTPRequest
    let body: HTTPBody
    let writer: HTTPResponseWriter
    let grant: TokenGrant
    /// Throws when the token is no longer good: for an answer that takes long.
    let checkGrant: @Sendable () async throws -> Void
    /// The path's named segments, decoded.
    let parameters: PathParameters

    var account: Int64 { self.grant.account }

    /// A segment that the endpoint's own template names.
    func parameter(_ name: String) -> String {
        guard let value = self.parameters[name] else { preconditionFailure("no {\(name)} in the route's template") }
        return value
    }

    /// Runs `work` on a thread of the database pool.
    func database<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await self.services.pool.run(work)
    }

    /// Refuses what belongs to another account than the token's.
    func requireOwn(_ account: Int64) throws(Problem) {
        guard account == self.account else { throw .wrongAccount }
    }

    /// The whole body's bytes, at most `limits.bodyBytesMax`.
    func collectBody() async throws -> [UInt8] {
        let bytesMax = self.services.configuration.limits.bodyBytesMax
        // A declared length is refused unread; a client that waits for 100 Continue then never sends it.
        if let length = self.request.header("content-length").flatMap(Int.init), length > bytesMax {
            throw HTTPBodyError.tooLarge
        }
        return try await self.body.collect(bytesMax: bytesMax)
    }

    /// The members of a JSON object body.
    static func members(of bytes: [UInt8]) throws(Problem) -> [JSONMember] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes.span.bytes)
        } catch {
            throw .malformedJSON(error)
        }
        guard case .object(let members) = value else {
            var faults = FieldFaults()
            faults.add(.pointer(""), .type, "The body must be a JSON object.")
            throw .invalidFields(faults)
        }
        return members
    }
}

extension HTTPResponse {
    /// Every answer here belongs to one account and changes with the next event: no cache may keep it.
    static func json(_ writer: JSONWriter, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: writer.bytes)
    }
}

extension PostgresError {
    /// The database cannot answer now, but the same request may succeed later.
    var meansAway: Bool {
        self.code == .connection || self.code == .timeout || self.code == .unavailable || self.isRetriable
    }
}
