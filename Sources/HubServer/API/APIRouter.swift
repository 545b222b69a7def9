import EventStore
package import HTTPFrontEnd
import Postgres

/// The ordinary endpoints: authenticated JSON, off the event loops. Device links never come here.
///
/// A request meets its checks in one order, so that every fault has one answer: path (404), method (405), token (401),
/// scope (403), media type (415), query (422), size (413), syntax (400), fields (422).
package final class APIRouter: Sendable {
    private let services: HubServices
    private let authenticator: Authenticator
    private let counters: APICounters
    private let routes: [Route]
    private let dialects: DialectRouter
    /// The public URL's own path, which a front proxy may have left on: `/hub`, or empty.
    private let pathPrefix: String

    package init(_ services: HubServices) {
        self.services = services
        self.counters = APICounters()
        self.authenticator = Authenticator(services: services, counters: self.counters)
        self.routes = Route.table
        self.dialects = DialectRouter(services, authenticator: self.authenticator)
        self.pathPrefix = services.configuration.publicPath
    }

    /// Runs any request that is not a device link, an unknown path's 404 problem included.
    package func respond(_ request: HTTPRequest, _ body: HTTPBody, _ writer: HTTPResponseWriter) async {
        let path = self.segments(of: request)
        if let (response, template) = await self.dialects.respond(request, path: path, body) {
            self.counters.count(route: template, status: response.status)
            return await writer.respond(response)
        }
        var template = "other"
        let answer: Answer
        do {
            let (route, parameters) = try self.route(for: request.method, path, template: &template)
            let authorization = request.header("authorization")
            let grant = try await self.grant(authorization, route.scope)
            let call = APICall(
                services: self.services, counters: self.counters, intake: self.dialects.intake, request: request,
                body: body,
                writer: writer, grant: grant, checkGrant: { _ = try await self.grant(authorization, route.scope) },
                parameters: parameters)
            answer = try await route.run(call)
        } catch {
            answer = self.answer(to: error, route: template)
        }
        switch answer {
        case .whole(let response):
            self.counters.count(route: template, status: response.status)
            await writer.respond(response)
        case .streamed(let status):
            self.counters.count(route: template, status: status)
        case .clientGone:
            self.counters.update { $0.clientsGone += 1 }
        }
    }

    /// Counters by route and status, and what the caches did, for /metrics.
    package var metrics: APIMetrics { self.counters.snapshot }
    var dialectMetrics: DialectMetrics { self.dialects.intake.counters.snapshot }

    /// The path below the public URL's own.
    private func segments(of request: HTTPRequest) -> [Substring.UTF8View] {
        let isPrefixed = !self.pathPrefix.isEmpty && request.path.hasPrefix(self.pathPrefix + "/")
        return request.path.utf8.dropFirst(isPrefixed ? self.pathPrefix.utf8.count : 0)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// HEAD is GET here; the front end leaves the body out.
    private func route(
        for given: HTTPMethod, _ path: [Substring.UTF8View], template: inout String
    ) throws(Problem) -> (Route, PathParameters) {
        let method = given == .head ? .get : given
        var allowed: [HTTPMethod] = []
        for route in self.routes {
            guard let parameters = route.path.match(path) else { continue }
            template = route.path.template
            if route.method == method { return (route, parameters) }
            allowed.append(route.method)
        }
        throw allowed.isEmpty ? .unknownPath : .methodNotAllowed(allowed)
    }

    private func grant(_ authorization: String?, _ scope: TokenScope) async throws -> TokenGrant {
        let grant = try await self.authenticator.grant(authorization: authorization)
        guard grant.scopes.contains(scope) else { throw Problem.insufficientScope(scope) }
        return grant
    }

    private func answer(to error: any Error, route: String) -> Answer {
        switch error {
        case let problem as Problem:
            return .whole(problem.response)
        case let error as PostgresError where error.meansAway:
            return .whole(Problem.databaseUnavailable.response)
        case HTTPBodyError.disconnected:
            return .clientGone
        case let error as HTTPBodyError:
            return .whole(Problem(error).response)
        default:
            // The text of an unforeseen error goes to the log only: it may name what a client must not learn.
            self.services.log.write(.error, "request failed", [("route", route), ("error", String(describing: error))])
            return .whole(Problem.internalError.response)
        }
    }
}
