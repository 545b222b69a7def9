import Glibc
import StrictJSON
import Synchronization
import TestSupport

@testable import ackhub

/// One hub of a deployment: a real process on ports and a spool of its own, which it keeps over restarts.
final class TestHub: Sendable {
    private let deployment: Deployment
    private let spool: String
    let port = freePort()
    private let adminPort = freePort()
    private let process = Mutex<ChildProcess?>(nil)

    init(_ name: String, of deployment: Deployment) {
        self.deployment = deployment
        self.spool = deployment.folder.file("spool-\(name)")
    }

    /// Where it listens.
    var url: String { "http://127.0.0.1:\(self.port)" }

    /// Starts the process and waits until it is ready.
    func start(_ flags: [String] = []) throws {
        try self.launch(flags)
        guard waitUntil(deadline: .seconds(10), condition: { self.readiness == 200 }) else {
            throw TestFailure("the hub does not become ready:\n\(self.log)")
        }
    }

    /// Starts the process without waiting.
    func launch(_ flags: [String] = []) throws {
        let process = try self.deployment.spawn(
            [
                "serve", "--listen", "127.0.0.1:\(self.port)", "--admin-listen", "127.0.0.1:\(self.adminPort)",
                "--spool-dir", self.spool, "--loops", "2",
            ] + flags)
        self.process.withLock { $0 = process }
    }

    /// Ends it at once, as a power cut would, and waits until it is gone.
    func kill() { _ = self.end(SIGKILL) }

    /// Asks it to stop; its exit status.
    func stop() -> Int32? { self.end(SIGTERM) }

    /// The exit status of a hub that ends by itself.
    func waitForExit() -> Int32? { self.process.withLock { $0?.wait() } }

    /// Of the running process.
    func pid() throws -> pid_t {
        guard let pid = self.process.withLock({ $0?.pid }) else { throw TestFailure("the hub was not started") }
        return pid
    }

    func signal(_ number: Int32) { self.process.withLock { $0?.signal(number) } }

    private func end(_ number: Int32) -> Int32? {
        self.process.withLock { process in
            process?.signal(number)
            return process?.wait(deadline: .seconds(20))
        }
    }

    /// What it has logged since it was last started.
    var log: String { self.process.withLock { $0?.standardError ?? "" } }

    /// The status of /readyz; nil when nobody answers.
    var readiness: Int? { try? self.send("GET", "/readyz", port: self.adminPort).status }

    /// A counter or gauge of /metrics, without labels or summed over them.
    func metric(_ name: String) throws -> Double {
        let text = String(decoding: try self.send("GET", "/metrics", port: self.adminPort).body, as: UTF8.self)
        let lines = text.lines.filter { $0.hasPrefix(name + " ") || $0.hasPrefix(name + "{") }
        return lines.reduce(0) { $0 + (Double($1.split(separator: " ").last ?? "") ?? 0) }
    }

    /// One hit on a link or a path; its status, nil when no answer came.
    func hit(_ link: String, _ method: String = "GET", fields: [String] = []) -> Int? {
        try? self.send(method, HubAddress.path(of: link), fields: fields).status
    }

    /// An API request with the deployment's token.
    func api(_ method: String, _ path: String, body: String? = nil) throws -> HTTPAnswer {
        try self.send(
            method, path, fields: ["Authorization: Bearer \(self.deployment.token)", "Content-Type: application/json"],
            body: body)
    }

    func json(_ path: String) throws -> JSONValue {
        let answer = try self.api("GET", path)
        guard answer.status == 200 else { throw TestFailure("\(path): \(answer.summary)") }
        return try JSONValue(parsing: answer.body.span.bytes)
    }

    private func send(
        _ method: String, _ path: String, port: UInt16? = nil, fields: [String] = [], body: String? = nil
    ) throws -> HTTPAnswer {
        try OneRequest.send(
            method, path, port: port ?? self.port, fields: fields, body: body.map { Array($0.utf8) })
    }
}
