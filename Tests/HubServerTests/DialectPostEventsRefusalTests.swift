import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// What post_events refuses, each with its code, and that nothing of it is stored.
@Suite(.blocking)
struct DialectPostEventsRefusalTests {
    /// Bodies that are no call. `%` stands for a uid that would be taken.
    @Test func refusesBodies() async throws {
        let gateway = try await Gateway(APITestHub.shared())
        let nested = { (levels: Int) in
            "{\"events\":1,\"uid\":\"%\",\"a\":" + String(repeating: "[", count: levels)
                + String(repeating: "]", count: levels) + "}"
        }
        let json: [String] = [
            "", " ", "x", "null", "[]", "\"%\"", "{\"events\":1,\"uid\":\"%\"", "{\"events\":1,\"uid\":\"%\"}x",
            "{\"events\":1,\"uid\":\"%\"}{}", "{\"events\":1,\"events\":2,\"uid\":\"%\"}",
            "{\"events\":1,\"uid\":\"%\",\"uid\":\"%\"}", "{'events':1,'uid':'%'}",
            "{\"events\":1,\"uid\":\"%\u{0}\"}", "{\"events\":1}", "{\"events\":1,\"uid\":\"\"}",
            "{\"events\":1,\"uid\":7}",
            "{\"events\":1,\"uid\":[\"%\"]}", "{\"uid\":\"%\"}", "{\"events\":0,\"uid\":\"%\"}",
            "{\"events\":4,\"uid\":\"%\"}", "{\"events\":7,\"uid\":\"%\"}", "{\"events\":-1,\"uid\":\"%\"}",
            "{\"events\":1.0,\"uid\":\"%\"}", "{\"events\":1e0,\"uid\":\"%\"}", "{\"events\":\"1 \",\"uid\":\"%\"}",
            "{\"events\":\"delivered\",\"uid\":\"%\"}", "{\"events\":true,\"uid\":\"%\"}",
            "{\"events\":[1],\"uid\":\"%\"}", "{\"events\":18446744073709551617,\"uid\":\"%\"}",
            "{\"events\":1,\"uid\":\"%\",\"token\":7}", "{\"events\":1,\"uid\":\"%\",\"format\":\"JSON\"}",
            "{\"events\":1,\"uid\":\"%\",\"format\":1}", nested(PostEventsRequest.depthMax), nested(20_000),
            "<xml><events>1</events><uid>%</uid></xml>", "events=1&uid=%",
        ]
        let xml: [String] =
            [
                "", "{\"events\":1,\"uid\":\"%\"}", "<xml><events>1</events><uid>%</uid>",
                "<xml><events>1</events><uid>%</ui", "<xml><events>1</events><uid>%</uid></xml>x",
                "<xml><events>1</events><uid>%</uid></xml><xml/>", "<XML><events>1</events><uid>%</uid></XML>",
                "<request><events>1</events><uid>%</uid></request>", "<xml><events>1</events><uid>%\u{0}</uid></xml>",
                "<xml><events>1</events><events>2</events><uid>%</uid></xml>",
                "<xml><events>1</events><uid>%</uid><uid>%</uid></xml>", "<xml><events>1</events></xml>",
                "<xml><events>1</events><uid></uid></xml>", "<xml><events>1</events><uid><id>%</id></uid></xml>",
                "<xml><uid>%</uid></xml>", "<xml><events>0</events><uid>%</uid></xml>",
                "<xml><events>1</events><uid>%</uid><format>html</format></xml>", "<xml events='1' uid='%'></xml>",
                "<a><xml><events>1</events><uid>%</uid></xml></a>", "<xml><events>1</events><uid>&u;%</uid></xml>",
            ] + HostileXML.documentTypes + HostileXML.bulks
        for (bodies, type, code) in [
            (json, "application/json", "\"error\":400,"), (xml, "application/xml", "<error>400</error>"),
        ] {
            for body in bodies where body.utf8.count <= DialectRoute.ordinaryBodyBytesMax {
                let reply = try await gateway.post(
                    body.replacing("%", with: gateway.uid), type: type,
                    fields: ["Authorization: Bearer \(gateway.token)"])
                #expect(reply.status == 400, "\(body.prefix(100))")
                #expect(reply.text.contains(code), "\(body.prefix(100)) \(reply.text)")
                #expect(!reply.text.contains("root:"))
            }
        }
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
            let body = Array("{\"events\":1,\"a\":\"".utf8) + bytes + Array("\",\"uid\":\"\(gateway.uid)\"}".utf8)
            #expect(
                try await gateway.post(body, fields: ["Authorization: Bearer \(gateway.token)"]).status == 400)
        }
        #expect(try await gateway.storedKinds() == nil)
    }

    @Test func refusesOtherMediaTypes() async throws {
        let gateway = try await Gateway(APITestHub.shared())
        let json = "{\"events\":1,\"uid\":\"\(gateway.uid)\",\"token\":\"\(gateway.token)\"}"
        let xml = "<xml><events>1</events><uid>\(gateway.uid)</uid><token>\(gateway.token)</token></xml>"
        let latin = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>" + xml
        for (body, type, fields) in [
            (json, "text/plain", []), (json, "application/x-www-form-urlencoded", []), (json, "", []),
            (json, "application/jsonp", []), (json, "application/json; charset=utf-16", []),
            (json, "application/json", ["Content-Encoding: gzip"]), (xml, "application/xml; charset=windows-1251", []),
            (xml, "text/xml;charset=us-ascii", []), (xml, "application/xhtml+xml", []), (latin, "text/xml", []),
        ] {
            let reply = try await gateway.post(body, type: type, fields: fields)
            #expect(reply.status == 415, "\(type)")
            #expect(reply.text.contains(type.contains("xml") ? "<error>415</error>" : "\"error\":415,"), "\(type)")
        }
        #expect(try await gateway.storedKinds() == nil)
    }

    /// 64 KiB are taken and not a byte more, with and without a declared length.
    @Test func refusesLargeBodies() async throws {
        let gateway = try await Gateway(APITestHub.shared())
        let body = { (bytes: Int) in
            let call = "{\"events\":1,\"uid\":\"\(gateway.uid)\",\"token\":\"\(gateway.token)\",\"a\":\""
            return call + String(repeating: "x", count: bytes - call.utf8.count - 2) + "\"}"
        }
        let bytesMax = DialectRoute.ordinaryBodyBytesMax
        let tooLarge = body(bytesMax + 1)
        let chunked =
            "POST \(Gateway.path) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n\(String(bytesMax + 1, radix: 16))\r\n\(tooLarge)\r\n0\r\n\r\n"
        for reply in [
            try await gateway.post(tooLarge), try await gateway.exchange(Array(chunked.utf8)),
        ] {
            #expect(reply.status == 413)
            #expect(try reply.json["error"] == .number("413"))
        }
        #expect(try await gateway.storedKinds() == nil)
        #expect(try await gateway.post(body(bytesMax)).status == 200)
    }

    /// What is no id of a message of ours: damaged, of another form, of the vendor's, of several minds.
    @Test func refusesUnknownMessages() async throws {
        let gateway = try await Gateway(APITestHub.shared())
        let (uid, launch) = (gateway.uid, gateway.message.launch.text)
        let other = Gateway.message(gateway.account)
        let unknown = [
            "x", "\(uid.dropLast())\(uid.hasSuffix("1") ? "2" : "1")", "\(uid.dropLast())", uid + "1", uid + " ",
            uid + "\\u0000",
            gateway.message.uniqueText, gateway.message.messageKey.text, launch, String(repeating: "1", count: 60_000),
            "e|2_4S_4HFn8RDhhmA|w4HFn8RPDFUi_2_4S_S_3___6.2NvyN8Hb67wmzJshM_6BuFTt|ios-apns", "e|\(launch)|\(uid)",
            "\(launch)|\(uid)|android-firebase", "x|\(launch)|\(uid)|android-firebase",
            "e|\(launch)|\(uid)|android-firebase|", "e|\(launch)||android-firebase",
            "e|\(launch)|\(gateway.message.uniqueText)|android-firebase", "|||", "e|e|e|e",
        ].map { ($0, 404) }
        let contradictory = [
            "e|\(other.launch.text)|\(uid)|android-firebase", "e||\(uid)|android-firebase", "e|\(launch)|\(uid)|",
            "e|\(launch)|\(uid)|ios-apns",
        ].map { ($0, 400) }
        for (id, status) in unknown + contradictory {
            let reply = try await gateway.post(
                "{\"events\":1,\"uid\":\"\(id)\"}", fields: ["Authorization: Bearer \(gateway.token)"])
            #expect(reply.status == status, "\(id.prefix(200))")
            #expect(try reply.json["error"] == .number("\(status)"), "\(id.prefix(200))")
        }
        // A long form without an id of ours names nobody.
        let reply = try await gateway.post(
            "{\"events\":1,\"uid\":\"uid\",\"launch_id\":\"\(launch)\",\"provider\":\"android-firebase\","
                + "\"subscription_id\":\"43\"}", fields: ["Authorization: Bearer \(gateway.token)"])
        #expect(reply.status == 404)
        #expect(try await gateway.storedKinds() == nil)
        #expect(try await gateway.storedKinds(other) == nil)
    }

    /// The token counts where it stands first: body, Authorization, URL. Its scope is `ingest` or `device`, its account the
    /// message's.
    @Test func asksForATokenOfTheAccount() async throws {
        let hub = try await APITestHub.shared()
        let gateway = try await Gateway(hub)
        let device = try await hub.token(gateway.account, [.device])
        let reporting = try await hub.token(gateway.account, [.mint, .report, .admin])
        let foreign = try await Gateway(hub).token
        let wrong = "ackhub_" + String(repeating: "x", count: 43)
        let good = gateway.token
        let cases: [(body: String?, header: String?, query: String, status: Int)] = [
            (nil, nil, "", 401), ("", nil, "", 401), (wrong, nil, "", 401), (wrong, "Bearer \(good)", "", 401),
            (nil, "Bearer \(wrong)", "?token=\(good)", 401), (nil, "Bearer", "", 401), (nil, "Basic \(good)", "", 401),
            (nil, "Bearer rtoken@\(good)", "", 401), (nil, nil, "?token=\(wrong)", 401), (nil, nil, "?token=", 401),
            (nil, nil, "?Token=\(good)", 401), (String(repeating: "x", count: 10_000), nil, "", 401),
            (reporting, nil, "", 403), (nil, "Bearer \(reporting)", "", 403), (foreign, nil, "", 403),
            (foreign, "Bearer \(good)", "", 403), (nil, nil, "?token=\(foreign)", 403),
        ]
        let taken: [(body: String?, header: String?, query: String, status: Int)] = [
            (good, nil, "", 200), (good, "Bearer \(wrong)", "?token=\(wrong)", 200), (nil, "bEARER \(good)", "", 200),
            (nil, nil, "?token=\(good)", 200), (nil, nil, "?x=1&token=\(good)&y", 200), (device, nil, "", 200),
            ("", "Bearer \(device)", "", 200),
        ]
        for (index, call) in (cases + taken).enumerated() {
            if index == cases.count { #expect(try await gateway.storedKinds() == nil) }
            let token = call.body.map { "\"token\":\"\($0)\"," } ?? ""
            let reply = try await gateway.post(
                "{\(token)\"events\":1,\"uid\":\"\(gateway.uid)\"}", query: call.query,
                fields: call.header.map { ["Authorization: \($0)"] } ?? [])
            #expect(reply.status == call.status, "case \(index)")
            #expect((reply.header("www-authenticate") != nil) == (call.status == 401), "case \(index)")
            #expect(!reply.text.contains(good) && !reply.text.contains(wrong))
        }
        #expect(try await gateway.storedKinds()?.isEmpty == false)
    }

    /// Only POST, only this path; nobody is sent elsewhere.
    @Test func leavesOtherPathsAlone() async throws {
        let hub = try await APITestHub.shared()
        for (method, target) in [
            ("GET", Gateway.path), ("PUT", Gateway.path), ("POST", Gateway.path + "/"), ("POST", Gateway.path + "/1"),
            ("POST", "/api/v1.1/pushes"), ("POST", "/api/v1/pushes/post_events"),
        ] {
            let reply = try await hub.send(method, target, token: nil, body: "{}")
            #expect(reply.status == 404)
            #expect(reply.header("location") == nil)
        }
    }
}
