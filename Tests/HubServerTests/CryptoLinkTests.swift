import EventSpool
import EventStore
import HubLinks
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// Links of the form `…/api/v1.1/pushes/crypto_post_events?/HEX`, as the stacks of real apps call them.
///
/// The token stands in the query and is no pair of name and value; who takes a URL apart and joins it again changes it.
@Suite(.blocking)
struct CryptoLinkTests {
    /// The fields of each stack's plain GET, in its own order and case.
    private static let clients: [(name: String, fields: [String])] = [
        (
            "OkHttp",
            ["Host: hub.test", "Connection: Keep-Alive", "Accept-Encoding: gzip", "User-Agent: okhttp/4.12.0"]
        ),
        (
            "HttpURLConnection",
            [
                "User-Agent: Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)", "Host: hub.test",
                "Connection: Keep-Alive", "Accept-Encoding: gzip",
            ]
        ),
        (
            "URLSession",
            [
                "Host: hub.test", "Accept: */*", "User-Agent: Shop/42 CFNetwork/1494.0.7 Darwin/23.4.0",
                "Accept-Language: en-GB,en;q=0.9", "Accept-Encoding: gzip, deflate", "Connection: keep-alive",
            ]
        ),
    ]

    private static func request(_ method: String, _ target: String, _ fields: [String]) -> String {
        (["\(method) \(target) HTTP/1.1"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// First calls and repeats of ack and open, by every client: stored, counted once as unique, never redirected.
    @Test(arguments: Self.clients.map(\.name))
    func countsEveryClient(name: String) async throws {
        let fields = try #require(Self.clients.first { $0.name == name }).fields
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let message = hub.message()
            let targets = try EventKind.allCases.map { try hub.target($0, message, style: .cryptoPostEvents) }
            let responses = try await onThread {
                let connection = try DeviceConnection(port: hub.publicPort)
                return try (targets + targets).map { target in
                    try connection.send(Self.request("GET", target, fields))
                    return try connection.read()
                }
            }
            #expect(targets.allSatisfy { $0.hasPrefix("/api/v1.1/pushes/crypto_post_events?/") })
            for response in responses {
                #expect(response.status == 204)
                #expect(response.body.isEmpty && response.headers["location"] == nil)
            }
            let events = try #require(try await hub.stored(message)).events
            #expect(events.map(\.kind) == [.ack, .open, .ack, .open])
            #expect(events.map(\.isFirst) == [true, true, false, false])
            #expect(events.allSatisfy { $0.dialect == .link && $0.eventClass == .human && $0.flags.isEmpty })
        }
    }

    /// What URL builders and trackers make of the link. `TOKEN` stands for the hexadecimal text.
    @Test(arguments: [
        "/api/v1.1/pushes/crypto_post_events?/TOKEN",
        "/api/v1.1/pushes/crypto_post_events?/TOKEN&utm_source=push&utm_id=7",
        "/api/v1.1/pushes/crypto_post_events?/TOKEN?utm_source=push", "/api/v1.1/pushes/crypto_post_events?/TOKEN#open",
        "/api/v1.1/pushes/crypto_post_events?/TOKEN=", "/api/v1.1/pushes/crypto_post_events?%2FTOKEN",
        "/api/v1.1/pushes/crypto_post_events?%2fTOKEN=",
        "/api/v1.1/pushes/crypto_post_events?%2FTOKEN=&utm_source=push",
        "/api/v1.1/pushes/crypto_post_events/?/TOKEN", "//api/v1.1//pushes/crypto_post_events?//TOKEN",
        "/hub/api/v1.1/pushes/crypto_post_events?/TOKEN", "http://hub.test/api/v1.1/pushes/crypto_post_events?/TOKEN",
    ])
    func opensWhatBuildersMake(form: String) async throws {
        try await RunningHub.run { hub async throws in
            let target = try hub.target(.open, hub.message(), style: .cryptoPostEvents)
            let token = String(target.drop { $0 != "?" }.dropFirst(2))
            for token in [token, token.uppercased()] {
                let response = try await hub.get(form.replacing("TOKEN", with: token))
                #expect(response.status == 204)
                #expect(response.headers["location"] == nil)
            }
            #expect(hub.hits(.open, .human) == 2)
        }
    }

    /// HEAD and OPTIONS by any client are no events.
    @Test func storesNothingForHead() async throws {
        try await RunningHub.run { hub async throws in
            for kind in EventKind.allCases {
                let target = try hub.target(kind, hub.message(), style: .cryptoPostEvents)
                #expect(try await hub.exchange("HEAD", target).status == 204)
                #expect(try await hub.exchange("OPTIONS", target).status == 204)
            }
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
        }
    }

    /// No token, half of one, another deployment's, one read as pairs: one and the same 404, without detail or redirect.
    @Test func refusesAllElseAlike() async throws {
        try await RunningHub.run { hub async throws in
            let path = "/api/v1.1/pushes/crypto_post_events"
            let target = try hub.target(.ack, hub.message(), style: .cryptoPostEvents)
            let token = String(target.dropFirst(path.count + 2))
            let foreign = try LinkMinter(
                keyRing: KeyRing(createdAt: 1), publicURL: "http://hub.test", style: .cryptoPostEvents)
            var answers: [DeviceResponse] = []
            for bad in [
                path, path + "?", path + "?/", path + "?/\(token.dropLast(2))", path + "?/\(token)0",
                path + "?/\(token.dropFirst(2))", path + "?token=\(token)", path + "?utm_source=push&/\(token)",
                path + "?/\(token.replacing("0", with: "g"))g", path + "/\(token)",
                String(foreign.mint(hub.message()).ack.dropFirst("http://hub.test".count)),
            ] {
                answers.append(try await hub.get(bad))
            }
            #expect(Set(answers.map(\.rawWithoutDate)).count == 1)
            #expect(answers[0].status == 404 && answers[0].headers["location"] == nil)
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
        }
    }
}
