import EventSpool
import EventStore
import Glibc
import MessageIDs
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// post_events of a whole hub, and while PostgreSQL or the spool's disk is away.
@Suite(.blocking)
struct DialectPostEventsOutageTests {
    /// Without PostgreSQL a known token goes on reporting, an unknown one is told to come again; afterwards all is stored.
    @Test func goesOnWithoutPostgreSQL() async throws {
        let postgres = try TestPostgres.startPrivate()
        let gateway = try await Gateway(APITestHub.start(postgres))
        let call = { (message: SendMessageID, token: String) in
            "<xml><token>\(token)</token><events>3</events><uid>\(message.text())</uid></xml>"
        }
        #expect(try await gateway.post(call(gateway.message, gateway.token), type: "text/xml").status == 200)
        try postgres.stop()
        let late = Gateway.message(gateway.account)
        #expect(try await gateway.post(call(late, gateway.token), type: "text/xml").status == 200)
        let unknown = try await gateway.post(call(late, "ackhub_unknown"), type: "text/xml")
        #expect(unknown.status == 503)
        #expect(unknown.text.contains("<error>503</error>"))
        #expect(unknown.header("retry-after") == "5")
        try postgres.start()
        // The pool tries the database anew a second after its last failure.
        let isStored = try await eventually { (try? await gateway.storedKinds(late)) == [.ack, .open] }
        #expect(isStored)
    }

    /// A spool without room: 503 in the call's own form, and neither half of `events: 3` is kept.
    @Test func refusesWhatItCannotKeep() async throws {
        let hub = try await APITestHub.start(TestPostgres.shared, spoolBytesMax: 1 << 20, loads: false)
        let gateway = try await Gateway(hub)
        // Until not even a small record finds room.
        for bytes in [65_536, 8_192, 1_024, 128, 16, 1] {
            while await hub.services.spool.append([[UInt8](repeating: 0, count: bytes)]) == nil {}
        }
        let appended = hub.services.spool.metrics.recordsAppended
        let reply = try await gateway.post(
            "{\"events\":3,\"uid\":\"\(gateway.uid)\",\"token\":\"\(gateway.token)\"}")
        #expect(reply.status == 503)
        #expect(try reply.json["error"] == .number("503"))
        #expect(reply.header("retry-after") == "5")
        #expect(hub.services.spool.metrics.recordsAppended == appended)
        let metrics = hub.router.dialectMetrics
        #expect(metrics.refused == [.init(dialect: .postEvents, reason: .unavailable): 1])
        #expect(metrics.hits.isEmpty)
    }

    /// Through the public listener: the call is no link, an entity's address is never called, and no token is logged.
    @Test func keepsToItself() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url, configure: { $0.logLevel = .debug }) { hub async throws in
            let message = hub.message()
            let token = try await hub.hub.services.pool.run {
                try Tokens.create(account: message.account, scopes: [.device], name: "app", on: $0)
            }
            let trap = try ListeningSocket()
            let body = { (entity: String) in
                "<!DOCTYPE xml [<!ENTITY e SYSTEM \"\(entity)\">]>"
                    + "<xml><token>\(token)</token><events>1</events><uid>&e;</uid></xml>"
            }
            let calls = [
                ("?token=\(token)", "<xml><events>2</events><uid>\(message.text())</uid></xml>", 200),
                ("?token=\(token)x", "<xml><events>2</events><uid>\(message.text())</uid></xml>", 401),
                ("?token=\(token)", "<xml><token>\(token)", 400),
                ("", body("http://127.0.0.1:\(trap.port)/x"), 400), ("", body("file:///etc/passwd"), 400),
            ]
            for (query, text, status) in calls {
                let response = try await onThread {
                    let connection = try DeviceConnection(port: hub.publicPort)
                    let fields = ["Content-Type: text/xml", "Content-Length: \(text.utf8.count)"]
                    try connection.send(DeviceConnection.request("POST", Gateway.path + query, fields) + text)
                    return try connection.read()
                }
                #expect(response.status == status)
                #expect(!response.text.contains(token) && !response.text.contains("root:"))
            }
            #expect(!trap.hasCaller)
            #expect(try await hub.stored(message)?.events.map(\.kind) == [.open])
            let refused = "ackhub_refused_reports_total{dialect=\"post_events\",reason=\"malformed\"}"
            #expect(try await hub.metrics()[refused] == 3)
            try await hub.drain()
            #expect(!hub.log.text.contains(token))
        }
    }
}

/// Listens on a free port and never accepts: whoever calls stays in the queue.
private final class ListeningSocket: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard status else { throw DeviceConnection.Fault(description: "listen: errno \(errno)") }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(self.descriptor) }

    var hasCaller: Bool {
        var entry = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
