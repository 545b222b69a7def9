import CommandLineOptions
import Foundation
import TestSupport
import Testing

@testable import ackhub_bench

/// The load generator against a real server.
@Suite(.blocking)
struct LoadRunTests {
    private static let all = Set((0..<500).map { "/now/\($0)" })

    /// How the requests travel, and how many connections that takes.
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var connections: ClosedRange<UInt64>
        var change: @Sendable (inout LoadPlan) -> Void
    }

    private static let ways = [
        Way(testDescription: "keep-alive", connections: 4...4) { _ in },
        Way(testDescription: "new connections", connections: 500...500) { $0.newConnections = true },
        Way(testDescription: "pipeline", connections: 4...4) { $0.pipeline = 8 },
        Way(testDescription: "threads", connections: 4...4) { $0.threads = 2 },
        Way(testDescription: "open loop", connections: 4...4) { $0.rate = 1_000 },
        Way(testDescription: "open loop, threads, pipeline", connections: 4...4) {
            $0.rate = 1_000
            $0.threads = 3
            $0.pipeline = 4
        },
    ]

    /// Each request arrives once and is counted once, whatever the way.
    @Test(arguments: ways) func sendsEachRequestOnce(way: Way) throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), way.change)
        #expect(outcome.isRight, "\(outcome.tally.summary)")
        #expect(outcome.tally.sent == 500 && outcome.tally.statuses[204] == 500 && outcome.tally.answered == 500)
        #expect(outcome.tally.answersMeasured == 500 && outcome.tally.latency.count == 500)
        #expect(outcome.tally.repeats == 0)
        #expect(outcome.tally[.other] == KindTally(answered: 500, distinctAnswered: 500))
        let targets = server.targets
        #expect(targets.count == 500 && Set(targets) == Self.all)
        #expect(way.connections.contains(server.acceptedConnections))
        #expect(UInt64(outcome.tally.connectionsOpened) == server.acceptedConnections)
    }

    /// The same over TLS, with a certificate that nobody vouches for only when told to believe it.
    @Test(arguments: [false, true]) func speaksTLS(newConnections: Bool) throws {
        let certificate = TestCertificate("localhost")
        let server = try BenchServer(certificate: (certificate.file, certificate.key))
        for host in ["127.0.0.1", "localhost"] {
            let outcome = try LoadRun.measure(server.url("https", host: host), count: 50) {
                $0.verifiesTLS = false
                $0.newConnections = newConnections
            }
            #expect(outcome.isRight, "\(outcome.tally.summary)")
            #expect(outcome.tally.statuses[204] == 50)
            #expect(outcome.tally.connectionsOpened == (newConnections ? 50 : 4))
            let error = #expect(throws: CommandError.self) {
                try LoadRun.measure(server.url("https", host: host), count: 50)
            }
            #expect(error?.description.contains("failed 50 (tls: 50)") == true)
        }
        #expect(server.targets.count == 100)
    }

    /// When the requests run out they are sent again, and that is told.
    @Test func repeatsWhatRanOut() throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), count: 7, requests: 100) { $0.pipeline = 5 }
        #expect(outcome.isRight && outcome.tally.statuses[204] == 100 && outcome.tally.repeats == 93)
        #expect(outcome.tally[.other] == KindTally(answered: 100, distinctAnswered: 7))
        #expect(Set(server.targets).count == 7 && server.targets.count == 100)
    }

    /// Two servers share the connections, and with them the requests.
    @Test(arguments: [1, 2]) func takesTurnsAmongServers(threads: Int) throws {
        let servers = try [BenchServer(), BenchServer()]
        let outcome = try LoadRun.measure(servers[0].url()) {
            $0.moreURLs = [servers[1].url()]
            $0.threads = threads
        }
        #expect(outcome.isRight, "\(outcome.tally.summary)")
        #expect(servers.map(\.acceptedConnections) == [2, 2])
        #expect(Set(servers[0].targets + servers[1].targets) == Self.all)
        #expect(servers[0].targets.count + servers[1].targets.count == 500)
    }

    /// Without a check the CPU time until the server has settled is that of all that was answered 2xx.
    @Test func readsTheCPUTimeOnceTheServerHasSettled() throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), count: 20, settleSeconds: 1)
        #expect(outcome.cpuPerEvent?.count == 1 && outcome.cpuOfWhole![0] >= outcome.cpuMeasured[0])
        #expect(try LoadRun.measure(server.url(), count: 20).cpuPerEvent == nil)
    }

    /// A token is a line of its own and nothing else.
    @Test func readsATokenFile() throws {
        let folder = TemporaryFolder()
        let path = folder.file("token")
        for (text, token) in [("ack_1\n", "ack_1"), ("a", "a"), (String(repeating: "a", count: 512), nil as String?)] {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(try InputFile.token(path) == token ?? text)
        }
        for text in ["", "\n", "a b\n", "a\nb\n", "é", String(repeating: "a", count: 513)] {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(throws: CommandError.self) { try InputFile.token(path) }
        }
        #expect(throws: CommandError.self) { try InputFile.token(folder.file("none")) }
    }

    /// Other answers than a 2xx are counted by status, and the run is not right.
    @Test func countsOtherAnswers() throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), targets: "/busy", count: 20)
        #expect(!outcome.isRight)
        #expect(outcome.tally.summary == "answered 20 (503: 20), failed 0, unsent 0")
        #expect(outcome.tally[.other] == KindTally())
    }

    /// A server that closes after each answer is met with new connections, and nothing fails.
    @Test func connectsAgain() throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), targets: "/close", count: 20)
        #expect(outcome.isRight && outcome.tally.statuses[204] == 20 && outcome.tally.connectionsOpened == 20)
    }

    /// Requests pipelined behind a closing answer have failed, and nobody knows whether they were taken.
    @Test func losesWhatWasPipelinedBehindAClose() throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), targets: "/close", count: 8) {
            $0.connections = 1
            $0.pipeline = 4
        }
        #expect(outcome.tally.answered == 2 && outcome.tally.failed == 6)
        #expect(
            outcome.tally.failures[LoadFailure.closed.rawValue] + outcome.tally.failures[LoadFailure.reset.rawValue]
                == 6)
        #expect(outcome.tally[.other] == KindTally(answered: 2, distinctAnswered: 2, unknown: 6, distinctUnknown: 6))
    }

    /// An answer that does not come is a timeout, with a latency that is not left out.
    @Test(arguments: [nil, 100]) func givesUpWhatIsNotAnswered(rate: Int?) throws {
        let server = try BenchServer()
        let error = #expect(throws: CommandError.self) {
            try LoadRun.measure(server.url(), targets: "/held", count: 4) {
                $0.timeoutNanoseconds = 200_000_000
                $0.rate = rate
            }
        }
        #expect(error?.description.contains("failed 4 (timeout: 4)") == true)
    }

    /// Nobody listens: every request failed to connect, none is unknown.
    @Test func tellsThatNobodyListens() throws {
        let url = try #require(LoadURL(text: "http://127.0.0.1:\(freePort())"))
        let error = #expect(throws: CommandError.self) { try LoadRun.measure(url, count: 8) }
        #expect(error?.description.contains("answered 0, failed 8 (connect: 8)") == true)
    }

    /// An open loop sends what its rate asks for, no more and no less.
    @Test func keepsItsRate() throws {
        let server = try BenchServer()
        let outcome = try LoadRun.measure(server.url(), count: 50, requests: 1_000_000) {
            $0.rate = 150
            $0.warmUpNanoseconds = 200_000_000
            $0.durationNanoseconds = 1_000_000_000
        }
        #expect(outcome.isRight, "\(outcome.tally.summary)")
        #expect(outcome.tally.sent == 180 && outcome.tally.latency.count == 150)
        #expect(server.targets.count == 180)
    }

    /// A target file that can't be used is refused by name.
    @Test(arguments: [("", "holds no target"), ("/a\nb\n", "line 2"), ("/a b\n", "line 1")])
    func refusesABadTargetFile(text: String, problem: String) throws {
        let folder = TemporaryFolder()
        try text.write(toFile: folder.file("targets"), atomically: false, encoding: .utf8)
        var list = RequestList(authority: "h", closes: false)
        let error = #expect(throws: CommandError.self) { try TargetFile.append(folder.file("targets"), to: &list) }
        #expect(error?.description.contains(problem) == true)
        #expect(throws: CommandError.self) { try TargetFile.append(folder.file("none"), to: &list) }
    }
}
