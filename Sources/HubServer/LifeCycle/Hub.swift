package import EventSpool
package import HTTPFrontEnd
import HubLinks
import Postgres
import Synchronization

/// A running hub: spool, loader, front ends, life cycle.
///
/// The public listener opens last, when everything that a hit needs is ready; PostgreSQL is not among that.
package final class Hub: Sendable {
    package let configuration: HubConfiguration
    package let services: HubServices
    package let spool: Spool
    let log: Log
    /// UNIX nanoseconds.
    let createdAt: UInt64
    let state = HubState()
    let loader: LoaderThread
    let devices: DevicePath
    let router: APIRouter

    struct Servers: Sendable {
        var open: HTTPServer
        var admin: HTTPServer
    }
    private let servers = Mutex<Servers?>(nil)

    /// Opens everything but the listeners; refuses a bad key ring, spool or schema by name.
    ///
    /// `now` (UNIX nanoseconds) and `files` (the spool's system calls; nil is the kernel's) are for tests.
    package init(
        _ configuration: HubConfiguration, log: Log, now: @escaping @Sendable () -> UInt64 = Log.systemTime,
        files: (any FileSystem)? = nil
    ) throws {
        // Before the first thread starts: threads inherit what is blocked.
        Self.prepareProcess()
        self.configuration = configuration
        self.log = log
        self.createdAt = now()
        let keyRing = try Self.readKeyRing(configuration.keysFile)
        self.spool = try Self.openSpool(configuration, files: files, log: log)
        var postgres = PostgresConfiguration(connection: configuration.databaseURL)
        postgres.onNotice = { log.writeLimited(key: "notice", .info, "PostgreSQL notice", [("notice", $0)]) }
        let pool = PostgresPool(postgres, connections: configuration.databasePoolConnections, queueMax: 1_024)
        self.services = HubServices(
            configuration: configuration, spool: self.spool, pool: pool, sendClock: SendClock(now: now), log: log,
            now: now, keyRing: keyRing)
        self.router = APIRouter(self.services)
        self.devices = DevicePath(services: self.services, router: self.router, state: self.state)
        self.loader = LoaderThread(configuration, postgres: postgres, spool: self.spool, log: log)
        do {
            try self.loader.checkSchemaAtStart()
        } catch {
            self.spool.close()
            pool.close()
            throw error
        }
    }

    /// Starts the loader and opens the listeners, the public one last.
    package func start() throws {
        try self.loader.start()
        do {
            let admin = try self.makeAdminServer()
            let open = try self.makePublicServer()
            self.servers.withLock { $0 = Servers(open: open, admin: admin) }
            admin.start()
            self.state.advance(to: .serving)
            open.start()
        } catch {
            self.abandonStart()
            throw HubError(code: .listen, detail: "can't listen: \(error)", underlying: error)
        }
        self.log.write(
            .info, "serving",
            [
                ("listen", self.publicAddresses.map(\.description).joined(separator: ",")),
                ("admin_listen", self.adminAddresses.map(\.description).joined(separator: ",")),
                ("loops", String(self.configuration.loopCount)),
            ])
    }

    /// The bound addresses, with real ports; empty before `start`.
    package var publicAddresses: [SocketAddress] { self.present?.open.addresses ?? [] }
    package var adminAddresses: [SocketAddress] { self.present?.admin.addresses ?? [] }

    var present: Servers? { self.servers.withLock { $0 } }
    /// Servers hold their handlers, and those this hub: after the end nothing holds anything.
    func forgetServers() { self.servers.withLock { $0 = nil } }

    private func abandonStart() {
        self.state.advance(to: .draining)
        self.spool.close()
        _ = self.loader.stop(withinSeconds: 1)
        self.services.pool.close()
        self.state.advance(to: .stopped)
    }

    private func makePublicServer() throws(HTTPServerError) -> HTTPServer {
        var http = HTTPServerConfiguration(listen: self.configuration.listen)
        http.loopCount = self.configuration.loopCount
        http.limits = self.configuration.limits
        http.tlsCertificateFile = self.configuration.tlsCertificateFile
        http.tlsKeyFile = self.configuration.tlsKeyFile
        let devices = self.devices
        return try HTTPServer(http, log: self.httpLog("public")) { devices.makeHandler($0) }
    }

    private func makeAdminServer() throws(HTTPServerError) -> HTTPServer {
        var http = HTTPServerConfiguration(listen: self.configuration.adminListen)
        // Monitoring asks a few times a minute; a stranger who finds the port gets no more room than this.
        http.limits.connectionsMax = 256
        http.limits.bodyBytesMax = 1_024
        let router = AdminRouter(self)
        return try HTTPServer(http, log: self.httpLog("admin")) { _ in AdminHandler(router) }
    }

    private func httpLog(_ listener: String) -> @Sendable (String) -> Void {
        let log = self.log
        return { message in
            log.writeLimited(
                key: "http:\(listener):\(message.prefix(40))", .warning, message, [("listener", listener)])
        }
    }

    static func readKeyRing(_ path: String) throws(HubError) -> KeyRing {
        do throws(KeyRingError) {
            let ring = try KeyRing(contentsOf: path)
            // What the loops will do with it: a ring that can't open links is refused here, by name.
            _ = try LinkOpener(keyRing: ring)
            return ring
        } catch {
            throw HubError(code: .keys, detail: "ACKHUB_KEYS_FILE: \(error)", underlying: error)
        }
    }

    private static func openSpool(
        _ configuration: HubConfiguration, files: (any FileSystem)?, log: Log
    ) throws(HubError) -> Spool {
        var spool = SpoolConfiguration(directory: configuration.spoolDirectory)
        spool.bytesMax = configuration.spoolBytesMax
        do throws(SpoolError) {
            let write: @Sendable (String) -> Void = { log.writeLimited(key: "spool:\($0.prefix(40))", .warning, $0) }
            guard let files else { return try Spool(spool, log: write) }
            return try Spool(spool, files: files, log: write)
        } catch {
            throw HubError(code: .spool, detail: "ACKHUB_SPOOL_DIR: \(error)", underlying: error)
        }
    }
}
