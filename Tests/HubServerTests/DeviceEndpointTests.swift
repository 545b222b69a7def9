import EventSpool
import EventStore
import HubLinks
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// Every row of the design's table of device endpoints, over real sockets.
@Suite(.blocking)
struct DeviceEndpointTests {
    /// GET and POST on a link are hits: 204, not to be cached, readable for any origin.
    @Test(arguments: ["GET", "POST"], [LinkStyle.path, .cryptoPostEvents])
    func countsHits(method: String, style: LinkStyle) async throws {
        try await RunningHub.run { hub async throws in
            for kind in EventKind.allCases {
                let response = try await hub.exchange(method, hub.target(kind, hub.message(), style: style))
                #expect(response.status == 204)
                #expect(response.headers["cache-control"] == "no-store")
                #expect(response.headers["access-control-allow-origin"] == "*")
                #expect(response.headers["access-control-allow-credentials"] == nil)
                #expect(response.headers["content-length"] == nil)
                #expect(hub.hits(kind, .human) == 1)
            }
        }
    }

    /// A POST's body is read and dropped, and the connection goes on.
    @Test func dropsBodies() async throws {
        try await RunningHub.run { hub async throws in
            let target = try hub.target(.ack, hub.message())
            try await onThread {
                let connection = try DeviceConnection(port: hub.publicPort)
                for _ in 0..<3 {
                    try connection.send(DeviceConnection.request("POST", target, ["Content-Length: 5"]) + "hello")
                    #expect(try connection.read().status == 204)
                }
            }
            #expect(hub.hits(.ack, .human) == 3)
        }
    }

    /// A browser's picture, or a `.gif`, gets the 43 bytes.
    @Test func answersWithPictures() async throws {
        try await RunningHub.run { hub async throws in
            let target = try hub.target(.open, hub.message())
            let accept = "Accept: image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
            for response in [try await hub.get(target, [accept]), try await hub.get(target + ".gif")] {
                #expect(response.status == 200)
                #expect(response.headers["content-type"] == "image/gif")
                #expect(response.headers["cache-control"] == "no-store")
                #expect(response.body.count == 43)
                #expect(response.text.hasPrefix("GIF89a") && response.body.last == 0x3B)
            }
            #expect(try await hub.get(target, ["Accept: */*"]).status == 204)
            #expect(hub.hits(.open, .human) == 3)
            #expect(hub.hub.devices.metrics.imageAnswers == 2)
        }
    }

    /// HEAD gives the same fields, no body, and is no event (T13).
    @Test func ignoresHead() async throws {
        try await RunningHub.run { hub async throws in
            for kind in EventKind.allCases {
                for target in [try hub.target(kind, hub.message()), try hub.target(kind, hub.message()) + ".gif"] {
                    let head = try await hub.exchange("HEAD", target)
                    let got = try await hub.get(target)
                    #expect(head.status == got.status)
                    #expect(head.headers.filter { $0.key != "date" } == got.headers.filter { $0.key != "date" })
                    #expect(head.body.isEmpty)
                }
            }
            #expect(hub.hub.devices.metrics.headIgnored == 4)
            #expect(hub.hits(.ack, .human) + hub.hits(.open, .human) == 4)
            #expect(hub.hub.spool.metrics.recordsAppended == 4)
        }
    }

    /// OPTIONS is a preflight that any origin passes, without credentials, and no event.
    @Test func answersPreflights() async throws {
        try await RunningHub.run { hub async throws in
            let response = try await hub.exchange(
                "OPTIONS", hub.target(.open, hub.message()),
                ["Origin: https://shop.example", "Access-Control-Request-Method: POST"])
            #expect(response.status == 204)
            #expect(response.headers["access-control-allow-origin"] == "*")
            #expect(response.headers["access-control-allow-methods"]?.contains("POST") == true)
            #expect(response.headers["access-control-allow-credentials"] == nil)
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
        }
    }

    /// Other methods are refused with the list of those that are not.
    @Test(arguments: ["PUT", "DELETE", "PATCH", "PROPFIND", "get"])
    func refusesOtherMethods(method: String) async throws {
        try await RunningHub.run { hub async throws in
            let response = try await hub.exchange(method, hub.target(.open, hub.message()))
            #expect(response.status == 405)
            #expect(response.headers["allow"] == "GET, POST, HEAD, OPTIONS")
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
        }
    }

    /// Every flipped bit and every truncation of a token gets one and the same answer, byte for byte (T29).
    @Test(arguments: [LinkStyle.path, .cryptoPostEvents])
    func answersAllDamageAlike(style: LinkStyle) async throws {
        try await RunningHub.run { hub async throws in
            let target = try hub.target(.open, hub.message(), style: style)
            let tokenAt = target.utf8.distance(from: target.startIndex, to: target.lastIndex(of: "/")!) + 1
            let bytes = Array(target.utf8)
            var targets: [[UInt8]] = []
            for index in tokenAt..<bytes.count {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << UInt8(bit)
                    // Letters that mean the same in hexadecimal, and bytes that no HTTP target may hold, are no damage here.
                    let isSame = style == .cryptoPostEvents && changed[index] | 0x20 == bytes[index] | 0x20
                    let isVisible = changed[index] > 0x20 && changed[index] < 0x7F
                    if !isSame && isVisible { targets.append(changed) }
                }
                targets.append(Array(bytes[..<index]))
            }
            let answers = try await onThread { [targets] in
                let connection = try DeviceConnection(port: hub.publicPort)
                return try Set(
                    targets.map {
                        try connection.send(Array("GET ".utf8) + $0 + Array(" HTTP/1.1\r\nHost: hub.test\r\n\r\n".utf8))
                        return try connection.read().rawWithoutDate
                    })
            }
            #expect(targets.count > 300)
            #expect(answers.count == 1)
            #expect(answers.first?.hasPrefix("HTTP/1.1 404") == true)
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
            let counted = hub.hub.devices.metrics.damaged.values.reduce(0, +)
            #expect(counted == UInt64(targets.count))
        }
    }

    /// A link is bound to its kind: an ack's token below /open/ is a damaged link, and the other way round (T30).
    @Test func refusesTheWrongKind() async throws {
        try await RunningHub.run { hub async throws in
            let ack = try hub.target(.ack, hub.message())
            let open = try hub.target(.open, hub.message())
            let answers = [
                try await hub.get(ack.replacing("/ack/", with: "/open/")),
                try await hub.get(open.replacing("/open/", with: "/ack/")), try await hub.get("/open/nonsense"),
            ]
            #expect(Set(answers.map(\.rawWithoutDate)).count == 1)
            #expect(answers[0].status == 404)
            #expect(hub.hub.devices.metrics.damaged[.wrongKind] == 2)
        }
    }

    /// What travel appends to a link does not lose the hit (T22); the event says that it was repaired.
    @Test(arguments: ["?utm_id=1", "&fbclid=y", "#frag", ".", ",", ")", ">", "/", "%0A", "?a=b&c=d#e", ".gif?x=1"])
    func toleratesAppendedText(tail: String) async throws {
        try await RunningHub.run { hub async throws in
            let target = try hub.target(.open, hub.message()) + tail
            #expect(try await hub.get(target).status / 100 == 2)
            #expect(hub.hits(.open, .human) == 1)
        }
    }

    /// A link counts for its time to live and not a second longer (T31): 29 days yes, 400 days no, and never 5xx.
    @Test func expires() async throws {
        try await RunningHub.run { hub async throws in
            let day: UInt64 = 86_400_000_000_000
            let targets = try [29, 89, 91, 400].map { days in
                try hub.target(.open, hub.message(sentAt: hub.now - UInt64(days) * day))
            }
            var statuses: [Int] = []
            for target in targets { statuses.append(try await hub.get(target).status) }
            #expect(statuses == [204, 204, 410, 410])
            #expect(try await hub.exchange("HEAD", targets[3]).status == 410)
            #expect(hub.hub.devices.metrics.expired[.open] == 3)
            #expect(hub.hub.spool.metrics.recordsAppended == 2)
        }
    }

    /// Another deployment's links are not ours.
    @Test func refusesForeignKeys() async throws {
        try await RunningHub.run { hub async throws in
            let foreign = try LinkMinter(keyRing: KeyRing(createdAt: 1), publicURL: "http://hub.test", style: .path)
            let target = String(foreign.mint(hub.message()).open.dropFirst("http://hub.test".count))
            #expect(try await hub.get(target).status == 404)
        }
    }

    /// What is no link goes to the API, which answers with a problem.
    @Test func leavesTheRestToTheAPI() async throws {
        try await RunningHub.run { hub async throws in
            let response = try await hub.get("/nothing/here")
            #expect(response.status == 404)
            #expect(response.headers["content-type"] == "application/problem+json")
            #expect(try await hub.get("/v1/reports/campaigns").status == 401)
        }
    }

    /// Pipelined hits are answered in order, each once it is durable.
    @Test func answersPipelinedHits() async throws {
        try await RunningHub.run { hub async throws in
            let targets = try (0..<50).map { try hub.target($0 % 2 == 0 ? .ack : .open, hub.message(Int64($0))) }
            try await onThread {
                let connection = try DeviceConnection(port: hub.publicPort)
                try connection.send(targets.map { DeviceConnection.request("GET", $0) }.joined())
                for _ in targets { #expect(try connection.read().status == 204) }
            }
            #expect(hub.hits(.ack, .human) == 25 && hub.hits(.open, .human) == 25)
        }
    }
}
