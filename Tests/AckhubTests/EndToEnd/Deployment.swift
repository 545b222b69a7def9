import Glibc
import TestSupport

@testable import ackhub

/// A database, a key ring and an API token: what the hubs of one test share. All of it goes with the handle.
final class Deployment: Sendable {
    let folder = TemporaryFolder()
    let database: TestDatabase
    /// Of account 1, with every scope that a test needs.
    let token: String
    private let databaseURL: String

    /// Migrates a database of its own on `server`.
    init(on server: TestPostgres = .shared) throws {
        self.database = try server.makeDatabase()
        self.databaseURL = self.database.url
        let environment = Self.environment(self.folder, self.database.url)
        try Self.run(["keys", "new"], environment).requireSuccess()
        try Self.run(["migrate"], environment).requireSuccess()
        self.token = try Self.run(
            ["tokens", "create", "--account", "1", "--scopes", "mint,report", "--name", "test"], environment
        ).requireSuccess().output.trimmed
    }

    /// Runs a command of the real binary against this deployment; `input` is its stdin.
    @discardableResult
    func run(_ arguments: [String], input: String = "", deadline: Duration = .seconds(20)) throws -> Finished {
        try Self.run(
            arguments, Self.environment(self.folder, self.databaseURL), input: input, deadline: deadline)
    }

    /// Starts a command and leaves it running.
    func spawn(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(Binary.path, arguments, environment: Self.environment(self.folder, self.databaseURL))
    }

    /// A hub that is not started yet.
    func makeHub(_ name: String = "hub") -> TestHub { TestHub(name, of: self) }

    private static func environment(_ folder: TemporaryFolder, _ databaseURL: String) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin", "ACKHUB_DATABASE_URL": databaseURL, "ACKHUB_KEYS_FILE": folder.file("keys.json"),
            "ACKHUB_PUBLIC_URL": "http://hub.example",
        ]
    }

    private static func run(
        _ arguments: [String], _ environment: [String: String], input: String = "", deadline: Duration = .seconds(20)
    ) throws -> Finished {
        let process = try ChildProcess(Binary.path, arguments, environment: environment)
        process.write(input)
        process.closeInput()
        let status = process.wait(deadline: deadline)
        return Finished(
            arguments: arguments, status: status, output: process.standardOutput, diagnostics: process.standardError)
    }
}

/// The program under test: the one that TEST_ACKHUB_BINARY names, a release build for example, or the one beside the tests.
enum Binary {
    static let path: String = {
        if let named = getenv("TEST_ACKHUB_BINARY") { return String(cString: named) }
        return Self.besideTests("ackhub")
    }()

    /// A program of this package's build.
    static func besideTests(_ name: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        let path = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        return path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/\(name)"
    }
}

/// A command that has ended.
struct Finished {
    var arguments: [String]
    /// Minus the signal that ended it; nil when it still ran at the deadline and was killed.
    var status: Int32?
    var output: String
    var diagnostics: String

    @discardableResult
    func requireSuccess() throws -> Finished {
        guard self.status == 0 else {
            throw TestFailure(
                "\(self.arguments.joined(separator: " ")): \(self.status.map(String.init) ?? "too slow")\n"
                    + self.output + self.diagnostics)
        }
        return self
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension String {
    /// Without the line ends at its end.
    var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }

    var lines: [String] { self.split(separator: "\n").map(String.init) }
}
