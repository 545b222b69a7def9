import Foundation
import TestSupport
import Testing

/// What every other suite leans on.
@Suite(.blocking)
struct TestPostgresTests {
    /// A stopped server comes back with the same data, and nothing is left of it at the end.
    @Test func startsStopsAndRemovesAPrivateServer() throws {
        var server: TestPostgres? = try TestPostgres.startPrivate()
        let folder = server!.socketFolder
        try server!.stop(mode: .immediate)
        #expect(!FileManager.default.fileExists(atPath: folder + "/.s.PGSQL.5432"))
        try server!.start()
        #expect(FileManager.default.fileExists(atPath: folder + "/.s.PGSQL.5432"))
        #expect(server!.log.contains("ready to accept connections"))
        server = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    /// Exit codes, signals, output, input and deadlines of a child process.
    @Test func runsChildren() throws {
        let shell = try ChildProcess(
            "sh", ["-c", "read line; echo \"$line $A\"; echo oops >&2; exit 3"],
            environment: ["A": "b", "PATH": "/bin:/usr/bin"])
        #expect(shell.wait(deadline: .milliseconds(30)) == nil)
        shell.write("hello\n")
        #expect(shell.wait() == 3)
        #expect(shell.standardOutput == "hello b\n")
        #expect(shell.standardError == "oops\n")
        let sleeper = try ChildProcess("sleep", ["1000"])
        sleeper.signal(SIGTERM)
        #expect(sleeper.wait() == -SIGTERM)
        #expect(throws: ChildProcessError.self) { try ChildProcess("/nonexistent") }
    }

    /// A test process that is killed leaves neither server nor folder behind.
    @Test func leavesNothingWhenKilled() async throws {
        let result = await #expect(
            processExitsWith: .signal(SIGKILL), observing: [\.standardErrorContent]
        ) {
            let server = try TestPostgres.startPrivate()
            FileHandle.standardError.write(Data("\n<\(server.socketFolder)>".utf8))
            kill(getpid(), SIGKILL)
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let folder = String(try #require(output.split(separator: "<").last?.split(separator: ">").first))
        try #require(folder.hasPrefix("/tmp/"))
        try await waitUntil { () async throws -> Bool in !FileManager.default.fileExists(atPath: folder) }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
