import CPostgres
import Foundation
import Synchronization

/// A PostgreSQL server of this test process's own, on a unix socket in a temporary folder.
///
/// A small shell (`Supervisor`) owns it and waits for the end of a pipe that only this process holds open. However this
/// process ends, the shell then stops the server and removes the folder.
package final class TestPostgres: Sendable {
    /// The server that all suites share; started at the first use. Not for tests that stop it: see `startPrivate`.
    package static let shared: TestPostgres = {
        do { return try TestPostgres(settings: [:]) } catch { fatalError("no private PostgreSQL: \(error)") }
    }()

    package enum StopMode: String, Sendable { case smart, fast, immediate }

    private let folder: String
    private let port: UInt16
    private let supervisor: Supervisor

    /// A server for one test that stops, breaks or configures it. It ends with its handle.
    ///
    /// `settings` are added to postgresql.conf, values as they are written there. `fsync` and `full_page_writes` are off,
    /// which a crash of the server survives and only one of the machine would not.
    ///
    /// With `port` it listens on 127.0.0.1, too; with `tls` it offers TLS there, under a certificate of its own that names
    /// `localhost`, in the folder as `server.crt`.
    package static func startPrivate(
        settings: [String: String] = [:], port: UInt16? = nil, tls: Bool = false
    ) throws -> TestPostgres {
        try TestPostgres(settings: settings, port: port, tls: tls)
    }

    private init(settings: [String: String], port: UInt16? = nil, tls: Bool = false) throws {
        self.folder = try Self.makeFolder()
        self.port = port ?? 5432
        var defaults = [
            "listen_addresses": port == nil ? "''" : "'127.0.0.1'", "port": "\(self.port)",
            "unix_socket_directories": "'\(self.folder)'", "max_connections": "200",
            "fsync": "off", "full_page_writes": "off", "shared_buffers": "64MB",
            "timezone": "'UTC'", "log_statement": "'none'",
        ]
        if tls {
            defaults["ssl"] = "on"
            defaults["ssl_cert_file"] = "'\(self.folder)/server.crt'"
            defaults["ssl_key_file"] = "'\(self.folder)/server.key'"
        }
        let lines = defaults.merging(settings) { $1 }.map { "\($0.key) = \($0.value)\n" }.sorted().joined()
        try lines.write(toFile: self.folder + "/settings.conf", atomically: false, encoding: .utf8)
        self.supervisor = try Supervisor(folder: self.folder)
        try self.supervisor.command("copy \(try Self.template.get().folder)")
        if tls { try self.supervisor.command("certify") }
        try self.start()
    }

    /// Data as initdb leaves it, made once a process: a copy takes a tenth of the time.
    private static let template = Result {
        let template = try Supervisor(folder: makeFolder())
        try template.command("init")
        return template
    }

    private static func makeFolder() throws -> String {
        // Not TMPDIR: a socket's path has at most 107 bytes.
        var path = Array("/tmp/ackhub-test-pg-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw ChildProcessError(text: "mkdtemp: errno \(errno)") }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Starts it again after `stop`, on the same data.
    package func start() throws { try self.supervisor.command("start") }

    /// `immediate` is a crash: no checkpoint, recovery at the next start.
    package func stop(mode: StopMode = .immediate) throws { try self.supervisor.command("stop \(mode.rawValue)") }

    /// The folder of the socket `.s.PGSQL.{port}`, for connection strings of a test's own making.
    package var socketFolder: String { self.folder }

    /// A libpq URL of the superuser `postgres`.
    package func url(database: String) -> String {
        "postgresql://postgres@/\(database)?host=\(self.folder)&port=\(self.port)"
    }

    /// What the server has logged.
    package var log: String { (try? String(contentsOfFile: self.folder + "/server.log", encoding: .utf8)) ?? "" }

    /// A database with a unique name, dropped with its handle: empty, or a copy of `template`, to which nobody is connected.
    package func makeDatabase(template: TestDatabase? = nil) throws -> TestDatabase {
        let name = "test_\(Self.counter.wrappingAdd(1, ordering: .relaxed).newValue)"
        try self.administer("CREATE DATABASE \(name)" + (template.map { " TEMPLATE \($0.name)" } ?? ""))
        return TestDatabase(server: self, name: name, url: self.url(database: name))
    }

    private static let counter = Atomic(0)

    fileprivate func administer(_ sql: String) throws {
        let connection = PQconnectdb(self.url(database: "postgres"))
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            throw ChildProcessError(text: "\(sql): \(String(cString: PQerrorMessage(connection)))")
        }
    }
}

/// One test's database: nobody else's tables are in it.
package final class TestDatabase: Sendable {
    package let name: String
    /// A libpq URL.
    package let url: String
    private let server: TestPostgres

    fileprivate init(server: TestPostgres, name: String, url: String) {
        self.server = server
        self.name = name
        self.url = url
    }

    /// Drops the database and whatever still is connected to it; a stopped server is left alone.
    deinit { try? self.server.administer("DROP DATABASE IF EXISTS \(self.name) WITH (FORCE)") }
}
