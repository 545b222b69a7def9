import EventSpool
import EventStore
import HTTPFrontEnd
import StrictJSON

/// /healthz, /readyz and /metrics, on a listener of their own (design section 10).
struct AdminRouter: Sendable {
    /// A loop that has not turned so long after being woken is stuck.
    static let loopTurnSecondsMax = 2.0

    let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        let response: HTTPResponse
        switch request.path {
        case "/healthz": response = await self.health()
        case "/readyz": response = self.readiness()
        case "/metrics":
            response = HTTPResponse(
                status: 200, headers: [("Content-Type", PrometheusText.contentType), ("Cache-Control", "no-store")],
                body: HubMetrics(self.hub).text())
        default: response = Self.problem(404, "Not Found", "not_found")
        }
        guard request.method == .get || request.method == .head else {
            return response.status == 404 ? response : Self.methodNotAllowed
        }
        return response
    }

    /// The process lives: it answers, and every loop turns when it is woken. A draining hub's loops end one by one.
    private func health() async -> HTTPResponse {
        let loops = self.hub.state.isDraining ? [] : self.hub.devices.loops
        let before = loops.map(\.counters.wakeCount)
        for entry in loops { entry.loop.wake() }
        let deadline = Deadline(seconds: Self.loopTurnSecondsMax)
        var stuck = loops.indices.filter { loops[$0].counters.wakeCount == before[$0] }
        while !stuck.isEmpty && !deadline.isOver {
            try? await Task.sleep(for: .milliseconds(1))
            stuck = stuck.filter { loops[$0].counters.wakeCount == before[$0] }
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("status")
        json.string(stuck.isEmpty ? "ok" : "stuck")
        json.key("loops")
        json.number(Int64(loops.count))
        json.key("stuck_loops")
        json.beginArray()
        for index in stuck { json.number(Int64(index)) }
        json.endArray()
        json.endObject()
        return Self.json(stuck.isEmpty ? 200 : 503, json)
    }

    /// It can accept: the spool takes records and the hub is not draining. PostgreSQL being away is told, and no reason.
    private func readiness() -> HTTPResponse {
        var reasons: [String] = []
        switch self.hub.state.phase {
        case .serving: break
        case .starting: reasons.append("starting")
        case .draining, .stopped: reasons.append("draining")
        }
        if let refusal = self.hub.spool.refusal { reasons.append("spool_\(refusal.rawValue)") }
        var json = JSONWriter()
        json.beginObject()
        json.key("ready")
        json.bool(reasons.isEmpty)
        json.key("reasons")
        json.beginArray()
        for reason in reasons { json.string(reason) }
        json.endArray()
        json.key("database")
        json.beginObject()
        json.key("connected")
        json.bool(self.hub.loader.loader.metrics.isConnected)
        json.key("schema")
        json.string("\(self.hub.loader.schemaState)")
        json.endObject()
        json.key("spool")
        json.beginObject()
        json.key("not_loaded_bytes")
        json.number(Int64(clamping: self.hub.bytesNotLoaded))
        json.endObject()
        json.endObject()
        return Self.json(reasons.isEmpty ? 200 : 503, json)
    }

    private static func json(_ status: Int, _ json: JSONWriter) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: json.bytes)
    }

    private static let methodNotAllowed = Self.problem(
        405, "Method Not Allowed", "method_not_allowed", [("Allow", "GET, HEAD")])

    private static func problem(
        _ status: Int, _ title: String, _ code: String, _ headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers + [("Content-Type", "application/problem+json")],
            body: Array(
                "{\"type\":\"about:blank\",\"title\":\"\(title)\",\"status\":\(status),\"code\":\"\(code)\"}".utf8))
    }
}
