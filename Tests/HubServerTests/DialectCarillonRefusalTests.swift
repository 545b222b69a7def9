import EventSpool
import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// What Carillon's SDKs are refused: as problem details, and nothing of it is stored. Never 429.
@Suite(.blocking)
struct DialectCarillonRefusalTests {
    /// `response` is a problem with this status and code, as the SDKs parse one.
    private static func expect(
        _ status: Int, _ code: String, _ response: DeviceResponse, _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == status, comment, sourceLocation: sourceLocation)
        let json = try JSONValue(parsing: response.body.span.bytes)
        #expect(json["status"]?.int64 == Int64(status), comment, sourceLocation: sourceLocation)
        #expect(json["code"]?.text == code, comment, sourceLocation: sourceLocation)
        for member in ["type", "title", "detail"] {
            #expect(json[member]?.text?.isEmpty == false, comment, sourceLocation: sourceLocation)
        }
        let type = response.headers["content-type"]
        #expect(type == "application/problem+json", comment, sourceLocation: sourceLocation)
        let mayRepeat = response.headers["retry-after"] == "5"
        #expect(mayRepeat == (status == 503), comment, sourceLocation: sourceLocation)
        let asksForKey = response.headers["www-authenticate"] != nil
        #expect(asksForKey == (status == 401), comment, sourceLocation: sourceLocation)
    }

    /// No key, a broken one, a revoked one, one that allows other things. None is logged, whatever the level.
    @Test func refusesBadKeys() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url, configure: { $0.logLevel = .debug }) { hub async throws in
            let good = try await hub.mobileKey()
            let revoked = try await hub.mobileKey()
            try await hub.hub.services.pool.run { connection in
                let id = try Tokens.list(account: 1, on: connection).map(\.id).max() ?? 0
                #expect(try Tokens.revoke(id: id, on: connection))
            }
            let message = hub.message()
            let body = CarillonPhone.body([CarillonPhone.event("opened", message.messageKey, at: hub.now)])
            let cases: [(Int, String, String?)] = [
                (401, "unauthorized", nil), (401, "unauthorized", ""), (401, "unauthorized", "Bearer"),
                (401, "unauthorized", "Bearer "), (401, "unauthorized", good), (401, "unauthorized", "Basic \(good)"),
                (401, "unauthorized", "Bearer \(good)x"), (401, "unauthorized", "Bearer \(good.uppercased())"),
                (401, "unauthorized", "Bearer carillon_mk_"), (401, "unauthorized", "Bearer \(revoked)"),
                (401, "unauthorized", "Bearer " + String(repeating: "a", count: 9_000)),
                (403, "forbidden", "Bearer \(try await hub.mobileKey(scopes: [.mint, .report, .admin]))"),
            ]
            for (status, code, authorization) in cases {
                let fields = authorization.map { "Authorization: \($0)\r\n" } ?? ""
                let request =
                    "POST /v1/events HTTP/1.1\r\nHost: hub.test\r\n\(fields)Content-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                let response = try await hub.carillon(Array(request.utf8))
                try Self.expect(status, code, response, "\(authorization?.prefix(60) ?? "none")")
            }
            #expect(hub.hub.spool.durable.offset == 0)
            let metrics = try await hub.metrics()
            #expect(metrics["ackhub_refused_reports_total{dialect=\"carillon\",reason=\"unauthorized\"}"] == 11)
            #expect(metrics["ackhub_refused_reports_total{dialect=\"carillon\",reason=\"forbidden\"}"] == 1)
            // The same body with a good key is taken: it was not the body.
            #expect(try await hub.carillon(CarillonPhone.swift.request(body, key: good)).status == 202)
            #expect(try await hub.storedEvents() == (0, 1))
            #expect(!hub.log.text.isEmpty && !hub.log.text.contains(good) && !hub.log.text.contains(revoked))
        }
    }

    /// Bodies that no repeat makes better. One event too many refuses all.
    @Test func refusesBadBodies() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let key = try await hub.mobileKey()
            let event = CarillonPhone.event("opened", hub.message().messageKey, at: hub.now)
            let batch = "\"events\":[\(event)]"
            let bodies: [(Int, String, String)] = [
                (400, "malformed", ""), (400, "malformed", "{"), (400, "malformed", "{\(batch)"),
                (400, "malformed", "{\(batch)} {}"), (400, "malformed", "[\(event)]"), (400, "malformed", "null"),
                (400, "malformed", event), (400, "malformed", "{}"), (400, "malformed", "{\"events\":null}"),
                (400, "malformed", "{\"events\":\(event)}"), (400, "malformed", "{\"Events\":[\(event)]}"),
                (400, "malformed", "{\(batch),\(batch)}"),
                (400, "malformed", "{\"events\":[{\"type\":\"opened\",\"type\":\"opened\"}]}"),
                (400, "malformed", "{\(batch),\"x\":\"a\u{0}b\"}"), (400, "malformed", "{\(batch),\"x\":\"\\ud80\"}"),
                (400, "malformed", "{\"events\":" + String(repeating: "[", count: 60_000)),
                (413, "too_large", CarillonPhone.body(Array(repeating: event, count: 101))),
                (413, "too_large", CarillonPhone.body(Array(repeating: "0", count: 101))),
                (413, "too_large", "{\(batch),\"x\":\"" + String(repeating: "x", count: 65_536) + "\"}"),
            ]
            for (status, code, body) in bodies {
                let response = try await hub.carillon(CarillonPhone.kotlin.request(body, key: key))
                try Self.expect(status, code, response, "\(body.prefix(60))")
            }
            // Bytes that are no UTF-8, compressed ones, and a body that outgrows its limit without having said so.
            let head = "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(key)\r\n"
            for bytes in [
                Array("{\(batch),\"x\":\"".utf8) + [0xFF, 0xC0, 0x80] + Array("\"}".utf8), [0x1F, 0x8B, 8, 0],
            ] {
                let request = Array("\(head)Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes
                try Self.expect(400, "malformed", try await hub.carillon(request), "\(bytes.prefix(4))")
            }
            let chunk = "8000\r\n" + String(repeating: " ", count: 0x8000) + "\r\n"
            let endless = head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk + "0\r\n\r\n"
            try Self.expect(413, "too_large", try await hub.carillon(Array(endless.utf8)), "too many chunks")
            #expect(hub.hub.spool.durable.offset == 0)
            #expect(hub.hub.router.dialectMetrics.hits.isEmpty)
        }
    }

    /// A body that stops on its way may come the next time: no 408, on which the SDKs drop the batch.
    @Test func letsAStalledBodyComeAgain() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(
            database: database.url, configure: { $0.limits.bodyTimeoutSeconds = 1 }
        ) { hub async throws in
            let key = try await hub.mobileKey()
            let event = CarillonPhone.event("opened", hub.message().messageKey, at: hub.now)
            let request = CarillonPhone.swift.request(CarillonPhone.body([event]), key: key)
            try Self.expect(503, "timeout", try await hub.carillon(request.dropLast(10)), "stalled")
            #expect(hub.hub.spool.durable.offset == 0)
        }
    }

    /// Without PostgreSQL the keys of the last hour still count; others are put off.
    @Test func acceptsWithoutPostgreSQL() async throws {
        let server = try await onThread { try TestPostgres.startPrivate() }
        let database = try await makeMigratedDatabase(on: server)
        try await RunningHub.run(database: database.url) { hub async throws in
            let key = try await hub.mobileKey()
            let message = hub.message()
            await hub.mint([message])
            func event(_ type: String) -> String { CarillonPhone.event(type, message.messageKey, at: message.sentAt) }
            #expect(try await hub.carillon([event("received")], key: key).status == 202)
            try await hub.settle()
            try await onThread { try server.stop(mode: .fast) }

            #expect(try await hub.carillon([event("opened")], key: key).text == "{\"received\":1}")
            try Self.expect(503, "unavailable", try await hub.carillon([event("opened")], key: key + "x"), "unknown")

            try await onThread { try server.start() }
            // The pool tries again when its last failure is some time ago.
            let isCounted = try await eventually { (try? await hub.totals(of: message)) == [0, 1, 0, 1, 1, 1] }
            #expect(isCounted)
        }
    }

    /// A spool that takes nothing: the phone is to come again.
    @Test func refusesWhatItCannotKeep() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let key = try await hub.mobileKey()
            hub.hub.spool.close()
            let event = CarillonPhone.event("opened", hub.message().messageKey, at: hub.now)
            try Self.expect(503, "unavailable", try await hub.carillon([event], key: key), "closed")
        }
    }

    /// The SDKs also register their device: the hub keeps none, and says so once and for all.
    @Test func refusesRegistration() async throws {
        try await RunningHub.run { hub async throws in
            let request = CarillonPhone.swift.request("{\"token\":\"a\"}", key: "carillon_mk_a")
            let registration = String(decoding: request, as: UTF8.self).replacing("/v1/events", with: "/v1/devices")
            try Self.expect(404, "unknown_path", try await hub.carillon(Array(registration.utf8)), "devices")
        }
    }
}
