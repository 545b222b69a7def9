package import MessageIDs
import Synchronization

/// What the ordinary endpoints did so far, for /metrics. Labels are route templates, never paths.
package struct APIMetrics: Sendable {
    /// By route template (`/v1/links`; `other` for an unknown path) and status.
    package var responses: [APIRouteStatus: UInt64] = [:]
    /// Messages whose links were answered.
    package var messagesMinted: UInt64 = 0
    /// NDJSON lines answered in place with an error.
    package var linesRefused: UInt64 = 0
    /// Payloads answered, by provider.
    package var payloadsRendered: [Provider: UInt64] = [:]
    /// Recipients, lines and whole requests that got no payload, by the problem's code.
    package var payloadsRefused: [String: UInt64] = [:]
    /// Requests whose client went away before the answer was out.
    package var clientsGone: UInt64 = 0
    /// Tokens known from the cache, looked up in PostgreSQL, and used though PostgreSQL could not confirm them.
    package var tokenCacheHits: UInt64 = 0
    package var tokenLookups: UInt64 = 0
    package var tokensUsedStale: UInt64 = 0
    package init() {}
}

package struct APIRouteStatus: Hashable, Sendable {
    package var route: String
    package var status: Int
    package init(route: String, status: Int) {
        self.route = route
        self.status = status
    }
}

/// The counters behind `APIMetrics`: changed from any thread, a few times a request.
final class APICounters: Sendable {
    private let state = Mutex(APIMetrics())

    var snapshot: APIMetrics { self.state.withLock { $0 } }

    func update(_ change: (inout sending APIMetrics) -> Void) {
        self.state.withLock { change(&$0) }
    }

    func count(route: String, status: Int) {
        self.update { $0.responses[APIRouteStatus(route: route, status: status), default: 0] += 1 }
    }
}
