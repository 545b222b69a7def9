import EventStore
import HTTPFrontEnd
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct AdminTests {
    /// The process lives and its loops turn.
    @Test func tellsHealth() async throws {
        try await RunningHub.run(configure: { $0.loopCount = 3 }) { hub async throws in
            #expect(try await eventually { hub.hub.devices.loops.count == 3 })
            let response = try await hub.admin("/healthz")
            #expect(response.status == 200)
            #expect(response.text == #"{"status":"ok","loops":3,"stuck_loops":[]}"#)
            #expect(try await hub.admin("/healthz", method: "HEAD").status == 200)
        }
    }

    /// The hub is ready without PostgreSQL, and says that it is away.
    @Test func tellsReadiness() async throws {
        try await RunningHub.run { hub async throws in
            let response = try await hub.admin("/readyz")
            #expect(response.status == 200)
            #expect(response.headers["content-type"] == "application/json")
            #expect(
                response.text.hasPrefix(
                    #"{"ready":true,"reasons":[],"database":{"connected":false,"schema":"unknown"}"#))
        }
    }

    /// Only GET and HEAD, only the three paths, and none of them on the public listener.
    @Test func refusesTheRest() async throws {
        try await RunningHub.run { hub async throws in
            #expect(try await hub.admin("/").status == 404)
            #expect(try await hub.admin("/v1/links").status == 404)
            let response = try await hub.admin("/metrics", method: "POST")
            #expect(response.status == 405)
            #expect(response.headers["allow"] == "GET, HEAD")
            for path in ["/metrics", "/healthz", "/readyz"] { #expect(try await hub.get(path).status == 404) }
        }
    }

    /// The exposition is strictly well-formed, holds every family with its help, and its labels come from closed sets.
    @Test func exposesMetrics() async throws {
        try await RunningHub.run { hub async throws in
            #expect(try await hub.get(hub.target(.ack, hub.message())).status == 204)
            for index in 0..<30 {
                _ = try await hub.get("/no/such/path/\(index)")
                _ = try await hub.get("/open/\(String(repeating: "A", count: 40 + index))")
            }
            _ = try await hub.metrics()
            let before = try await hub.metrics()
            let response = try await hub.admin("/metrics")
            #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let metrics = try Exposition(response.text)
            #expect(metrics["ackhub_hits_total{dialect=\"link\",kind=\"ack\",class=\"human\"}"] == 1)
            #expect(metrics["ackhub_hit_answer_seconds_count"] == 1)
            #expect(metrics["ackhub_spool_records_total"] == 1)
            #expect(metrics["ackhub_build_info{version=\"\(HubVersion.text)\"}"] == 1)
            #expect(metrics["ackhub_http_responses_total{listener=\"public\",status=\"204\"}"] == 1)
            for buffer in ["output", "request_mailbox", "response_mailbox"] {
                #expect(metrics["ackhub_http_pauses_total{listener=\"public\",buffer=\"\(buffer)\"}"] == 0)
            }
            #expect(metrics.families["ackhub_spool_held_bytes"]?.help.contains("not released") == true)
            #expect(metrics["process_resident_memory_bytes"]! > 1_000_000)
            #expect(metrics["ackhub_loader_lag_seconds"]! > 0)
            for family in metrics.families.values { #expect(family.help.hasSuffix(".")) }
            // Whatever is asked for, the number of samples does not grow.
            func count(_ metrics: Exposition) -> Int { metrics.families.values.map(\.samples.count).reduce(0, +) }
            _ = try await hub.get("/yet/another/\(UInt64.random(in: .min ... .max))")
            #expect(try await count(hub.metrics()) == count(before))
            #expect(count(metrics) < 400)
        }
    }
}
