import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// `POST /api/v1.1/pushes/post_events`: what gateways send, what they are answered and what is stored.
@Suite(.blocking)
struct DialectPostEventsTests {
    private static let json = "{\"error\":0,\"error_text\":\"Successful operation\"}"
    private static let xml =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><xml><error>0</error>"
        + "<error_text>Successful operation</error_text></xml>"

    /// The vendor's example calls, filled with ids of ours, in the very bytes of four clients.
    @Test func takesWhatGatewaysSend() async throws {
        let hub = try await APITestHub.shared()
        let gateway = try await Gateway(hub)
        let (uid, token) = (gateway.packedUID, gateway.token)
        let short = "{\n  \"token\": \"\(token)\",\n  \"events\": 1,\n  \"uid\": \"\(uid)\"\n}"
        let long =
            "{\"token\":\"\(token)\",\"events\":2,\"launch_id\":\"\(gateway.message.launch.text)\","
            + "\"provider\":\"android-firebase\",\"subscription_id\":\"subscriptionid\",\"uid\":\"\(gateway.uid)\"}"
        let shortXML =
            "<xml>\n    <token>\(token)</token>\n    <events>3</events>\n    <uid>\(uid)</uid>\n</xml>\n"
        let longXML =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<xml>\r\n <events>1</events>\r\n"
            + " <launch_id>\(gateway.message.launch.text)</launch_id>\r\n <provider>Android Firebase</provider>\r\n"
            + " <subscription_id>43</subscription_id>\r\n <uid>\(gateway.uid)</uid>\r\n</xml>"
        let path = Gateway.path
        let requests: [(String, answer: String, kinds: [EventKind])] = [
            (
                "POST \(path) HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\n"
                    + "Content-Length: \(short.utf8.count)\r\nHost: hub.example\r\nConnection: Keep-Alive\r\n"
                    + "Accept-Encoding: gzip\r\nUser-Agent: okhttp/4.12.0\r\n\r\n\(short)", Self.json, [.ack]
            ),
            (
                "POST \(path) HTTP/1.1\r\nHost: hub.example\r\nUser-Agent: python-requests/2.31.0\r\n"
                    + "Accept-Encoding: gzip, deflate\r\nAccept: */*\r\nConnection: keep-alive\r\n"
                    + "Content-Length: \(long.utf8.count)\r\nContent-Type: application/json\r\n\r\n\(long)",
                Self.json, [.open]
            ),
            (
                "POST \(path) HTTP/1.1\r\nHost: hub.example\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n"
                    + "Content-Type: text/xml\r\nContent-Length: \(shortXML.utf8.count)\r\n\r\n\(shortXML)", Self.xml,
                [.ack, .open]
            ),
            (
                "POST \(path) HTTP/1.1\r\nhost: hub.example\r\nauthorization: bearer  \(token)\r\n"
                    + "content-type: application/xml;charset=\"UTF-8\"\r\ntransfer-encoding: chunked\r\n\r\n"
                    + "\(String(longXML.utf8.count, radix: 16))\r\n\(longXML)\r\n0\r\n\r\n", Self.xml, [.ack]
            ),
        ]
        var kinds: [EventKind] = []
        for request in requests {
            let reply = try await gateway.exchange(Array(request.0.utf8))
            #expect(reply.status == 200)
            #expect(reply.text == request.answer)
            #expect(
                reply.header("content-type") == (request.answer == Self.xml ? "application/xml" : "application/json"))
            #expect(reply.header("cache-control") == "no-store")
            kinds += request.kinds
        }
        // One for each kind: repeats of a delivery or an open can't be told from retries.
        let stored = try #require(try await gateway.stored())
        #expect(Set(stored.events.map(\.kind)) == Set(kinds))
        #expect(stored.events.allSatisfy { $0.dialect == .postEvents && $0.eventClass == .human && $0.deviceAt == nil })
        #expect(stored.events.first?.userAgent == "okhttp/4.12.0" && stored.events.first?.address == "127.0.0.1")
        #expect(stored.message == gateway.message)
    }

    /// `events` is a bit mask, as an integer or as its text.
    @Test(arguments: [("1", [EventKind.ack]), ("2", [.open]), ("3", [.ack, .open])])
    func storesWhatTheMaskNames(events: String, kinds: [EventKind]) async throws {
        for (body, type) in [
            ("{\"events\":\(events),\"uid\":\"%\"}", "application/json"),
            ("{\"events\":\"\(events)\",\"uid\":\"%\"}", "application/json"),
            ("<xml><events> \(events) </events><uid>%</uid></xml>", "application/xml"),
        ] {
            let gateway = try await Gateway(APITestHub.shared())
            let reply = try await gateway.post(
                body.replacing("%", with: gateway.uid), type: type, fields: ["Authorization: Bearer \(gateway.token)"])
            #expect(reply.status == 200)
            #expect(try await gateway.storedKinds() == kinds)
        }
    }

    /// Every id form of ours that holds the message, packed and alone, names the same one.
    @Test func readsEveryFormOfTheID() async throws {
        let gateway = try await Gateway(APITestHub.shared())
        let message = gateway.message
        let ids = [
            gateway.uid, gateway.packedUID, message.text(.emailSafe), message.text(.emailSafe).uppercased(),
            "e|\(message.launch.text)|\(message.text(.emailSafe))|Android Firebase",
        ]
        for id in ids {
            let reply = try await gateway.post(
                "{\"events\":1,\"uid\":\"\(id)\"}", fields: ["Authorization: Bearer \(gateway.token)"])
            #expect(reply.status == 200, "\(id)")
        }
        #expect(try await gateway.stored()?.message == message)
    }

    /// `format` rules the answer's form, else the request's own does; a refusal follows it too.
    @Test func answersInTheFormAskedFor() async throws {
        let gateway = try await Gateway(APITestHub.shared())
        let fields = ["Authorization: Bearer \(gateway.token)"]
        for (format, isXML) in [("xml", true), ("json", false)] {
            let uid = gateway.uid
            for (events, status) in [("1", 200), ("4", 400)] {
                let replies = [
                    try await gateway.post(
                        "{\"events\":\(events),\"uid\":\"\(uid)\",\"format\":\"\(format)\"}", fields: fields),
                    try await gateway.post(
                        "<xml><events>\(events)</events><uid>\(uid)</uid><format>\(format)</format></xml>",
                        type: "text/xml", fields: fields),
                ]
                for reply in replies {
                    #expect(reply.status == status)
                    #expect(reply.text.hasPrefix("<?xml") == isXML)
                    #expect(reply.header("content-type") == "application/\(format)")
                }
            }
        }
        let unknown = try await gateway.post(
            "<xml><events>1</events><uid>\(gateway.uid)</uid><format>yaml</format></xml>", type: "text/xml",
            fields: fields)
        #expect(unknown.status == 400 && unknown.text.contains("<error>400</error>"))
    }

    /// The long form's fields agree with uid in every spelling of theirs, or the call is refused.
    @Test func holdsTheLongFormAgainstTheID() async throws {
        let hub = try await APITestHub.shared()
        let gateway = try await Gateway(hub)
        let other = LaunchID(account: gateway.account, campaign: 224, launchedAt: 1).text
        let launch = gateway.message.launch.text
        let cases: [(fields: String, isTaken: Bool)] = [
            ("\"launch_id\":\"\(launch)\"", true), ("\"launch_id\":\"\(other)\"", false),
            ("\"launch_id\":\"launch_id\"", false), ("\"launch_id\":224", false), ("\"launch_id\":null", true),
            ("\"launch_id\":\"\"", true), ("\"launch_id\":[]", false), ("\"launch_id\":true", false),
            ("\"provider\":\"android-firebase\"", true), ("\"provider\":\"androidfirebase\"", true),
            ("\"provider\":\"Android Firebase\"", true), ("\"provider\":1", true), ("\"provider\":\"ios-apns\"", false),
            ("\"provider\":\"nobody\"", false), ("\"provider\":{}", false), ("\"subscription_id\":43", true),
            ("\"subscription_id\":\"43\"", true), ("\"subscription_id\":44", false),
            ("\"subscription_id\":\"18446744073709551659\"", false), ("\"subscription_id\":\"dAf:APA91bH\"", true),
            ("\"subscription_id\":false", false), ("\"anything\":{\"else\":[1]}", true),
        ]
        for (fields, isTaken) in cases {
            let message = Gateway.message(gateway.account)
            let body = "{\"events\":1,\"uid\":\"\(message.text())\",\(fields)}"
                .replacing(launch, with: message.launch.text)
            let reply = try await gateway.post(body, fields: ["Authorization: Bearer \(gateway.token)"])
            #expect(reply.status == (isTaken ? 200 : 400), "\(fields)")
            #expect(try reply.json["error"] == .number(isTaken ? "0" : "400"), "\(fields)")
            #expect(try await gateway.storedKinds(message) == (isTaken ? [.ack] : nil), "\(fields)")
        }
        // The legacy provider shares its label with the present one; an anonymous message has lost its subscription.
        let legacy = Gateway.message(gateway.account, provider: 9)
        let anonymous = Gateway.message(gateway.account, privacy: .anonymous)
        for body in [
            "{\"events\":1,\"uid\":\"\(legacy.text())\",\"provider\":\"Android Firebase\"}",
            "{\"events\":1,\"uid\":\"\(anonymous.text())\",\"subscription_id\":43}",
        ] {
            #expect(try await gateway.post(body, fields: ["Authorization: Bearer \(gateway.token)"]).status == 200)
        }
    }

    /// Reports of one message and kind have one name, however they are written; others have another.
    @Test func namesReportsByMessageAndKind() async throws {
        let hub = try await APITestHub.shared()
        let gateway = try await Gateway(hub)
        let authenticator = Authenticator(services: hub.services, counters: APICounters())
        let read = { (body: String, type: String) async throws -> [ReportedEvent] in
            let request = HTTPRequest(
                method: .post, methodName: "POST", path: Gateway.path,
                headers: [("content-type", type), ("authorization", "Bearer \(gateway.token)")],
                peer: SocketAddress(text: "127.0.0.1:1")!)
            let call = DialectCall(
                services: hub.services, authenticator: authenticator,
                jwtKeys: JWTKeyCache(services: hub.services, counters: DialectCounters()), request: request,
                body: Array(body.utf8), parameters: [:], receivedAt: hub.services.now())
            return try await PostEvents.read(call).events
        }
        let both = try await read("{\"events\":3,\"uid\":\"\(gateway.uid)\"}", "application/json")
        let packed = try await read("{\"uid\":\"\(gateway.packedUID)\",\"events\":\"3\"}", "application/json")
        let open = try await read("<xml><uid>\(gateway.uid)</uid><events>2</events></xml>", "text/xml")
        let other = try await read(
            "{\"events\":3,\"uid\":\"\(Gateway.message(gateway.account).text())\"}", "application/json")
        #expect(both.map(\.report) == packed.map(\.report))
        #expect(both.map(\.report).last == open.map(\.report).first)
        #expect(Set((both + packed + open + other).map(\.report)).count == 4)
        #expect(!both.map(\.report).contains(nil))
    }
}
