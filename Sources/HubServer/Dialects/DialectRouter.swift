import HTTPFrontEnd
import Postgres

/// Runs the requests of every dialect: read the body, understand it, have its events on disk, answer.
final class DialectRouter: Sendable {
    private let services: HubServices
    private let authenticator: Authenticator
    private let jwtKeys: JWTKeyCache
    let intake: EventIntake

    private struct Match {
        var dialect: Dialect
        var route: DialectRoute
        var parameters: PathParameters
    }

    init(_ services: HubServices, authenticator: Authenticator) {
        self.services = services
        self.authenticator = authenticator
        self.intake = EventIntake(services: services)
        self.jwtKeys = JWTKeyCache(services: services, counters: self.intake.counters)
    }

    /// The answer, and the route's template for metrics; nil when the request is no dialect's.
    func respond(
        _ request: HTTPRequest, path: [Substring.UTF8View], _ body: HTTPBody
    ) async -> (HTTPResponse, template: String)? {
        guard let match = Self.match(request.method, path) else { return nil }
        var call = DialectCall(
            services: self.services, authenticator: self.authenticator, jwtKeys: self.jwtKeys, request: request,
            parameters: match.parameters, receivedAt: self.services.now())
        let response: HTTPResponse
        do {
            call.body = try await Self.collect(body, of: request, bytesMax: match.route.bodyBytesMax)
            let report = try await match.route.read(call)
            try await self.store(report, match.dialect, call)
            response = report.response
        } catch {
            let refusal = self.refusal(for: error, match)
            self.intake.counters.countRefused(match.dialect.name, refusal.reason)
            response = match.dialect.answer(refusal, call)
        }
        return (response, match.route.path.template)
    }

    private static func match(_ method: HTTPMethod, _ path: [Substring.UTF8View]) -> Match? {
        for dialect in Dialect.table {
            for route in dialect.routes where route.method == method {
                guard let parameters = route.path.match(path) else { continue }
                return Match(dialect: dialect, route: route, parameters: parameters)
            }
        }
        return nil
    }

    private static func collect(_ body: HTTPBody, of request: HTTPRequest, bytesMax: Int) async throws -> [UInt8] {
        // A declared length is refused unread.
        if let length = request.header("content-length").flatMap(Int.init), length > bytesMax {
            throw HTTPBodyError.tooLarge
        }
        return try await body.collect(bytesMax: bytesMax)
    }

    private func store(_ report: DialectReport, _ dialect: Dialect, _ call: DialectCall) async throws(DialectRefusal) {
        self.intake.counters.countIgnored(dialect.name, report.ignored)
        let refusal = await self.intake.store(
            report.events, dialect.name, from: self.intake.facts(of: call.request), receivedAt: call.receivedAt)
        if refusal != nil { throw DialectRefusal(.unavailable, "The hub can't keep events at present.") }
    }

    private func refusal(for error: any Error, _ match: Match) -> DialectRefusal {
        switch error {
        case let refusal as DialectRefusal:
            return refusal
        case HTTPBodyError.tooLarge:
            return DialectRefusal(.tooLarge, "The body is larger than \(match.route.bodyBytesMax) bytes.")
        case HTTPBodyError.timeout:
            return DialectRefusal(.timeout, "The body did not come in time.")
        case is HTTPBodyError:
            return DialectRefusal(.malformed, "The body's framing is broken.")
        case let problem as Problem where problem.status == 401:
            return DialectRefusal(.unauthorized, problem.detail)
        case let problem as Problem where problem.status == 403:
            return DialectRefusal(.forbidden, problem.detail)
        case let error as PostgresError where error.meansAway:
            return DialectRefusal(.unavailable, "The hub can't ask its database at present.")
        default:
            // The text of an unforeseen error goes to the log only: it may name what a client must not learn.
            self.services.log.write(
                .error, "request failed",
                [("route", match.route.path.template), ("error", String(describing: error))])
            return DialectRefusal(.internal, "The hub failed; its log says why.")
        }
    }
}
