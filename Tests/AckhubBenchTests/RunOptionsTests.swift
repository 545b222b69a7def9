import CommandLineOptions
import HTTPFrontEnd
import Testing

@testable import ackhub_bench

@Suite
struct RunOptionsTests {
    private func run(_ words: String) throws -> LoadRun {
        try RunOptions.run(Arguments.parse(words.split(separator: " ").map(String.init), options: RunOptions.all))
    }

    private func problems(_ words: String) -> [String] {
        do {
            _ = try self.run(words)
            return []
        } catch {
            return (error as? UsageError)?.problems ?? ["\(error)"]
        }
    }

    /// The options arrive where they belong.
    @Test func readsARun() throws {
        let run = try self.run(
            "--url https://127.0.0.1:9 --keys-file k --rate 100 --connections 7 --threads 2 --pipeline 3 --duration 4 "
                + "--warm-up 0 --timeout 6 --requests 8 --insecure --kinds ack:3,open --process hub=12,postgres=13")
        #expect(run.plan.url.isTLS && run.plan.rate == 100 && run.plan.connections == 7 && run.plan.threads == 2)
        #expect(run.plan.pipeline == 3 && run.plan.requestsMax == 8 && !run.plan.verifiesTLS)
        #expect(run.plan.durationNanoseconds == 4_000_000_000 && run.plan.warmUpNanoseconds == 0)
        #expect(run.plan.timeoutNanoseconds == 6_000_000_000)
        #expect(run.processes == [ProcessTree(name: "hub", pid: 12), ProcessTree(name: "postgres", pid: 13)])
        guard case .links(let source) = run.source else { throw UsageError(problems: ["no links"]) }
        #expect(source.acks == 3 && source.opens == 1 && source.publicURL == "https://127.0.0.1:9")
    }

    /// What a run of several hubs or launches says.
    @Test func readsServersAndLaunches() throws {
        let run = try self.run(
            "--url http://127.0.0.1:9 --more-urls http://127.0.0.1:10,http://127.0.0.1:11 --keys-file k --launches 1000 "
                + "--token-file t --settle-seconds 2")
        #expect((0..<5).map { run.plan.url(ofConnection: $0).address.port } == [9, 10, 11, 9, 10])
        #expect(run.tokenFile == "t" && run.settleSeconds == 2)
        guard case .links(let source) = run.source else { throw UsageError(problems: ["no links"]) }
        #expect(source.launches == 1_000)
        let plain = try self.run("--url http://127.0.0.1:9 --keys-file k")
        #expect(plain.plan.moreURLs.isEmpty && plain.tokenFile == nil && plain.settleSeconds == nil)
        guard case .links(let one) = plain.source else { throw UsageError(problems: ["no links"]) }
        #expect(one.launches == 1)
    }

    /// Another machine is loaded only by somebody who says so.
    @Test func refusesAnotherMachine() throws {
        #expect(self.problems("--url http://10.0.0.1:80 --targets t").count == 1)
        #expect(self.problems("--url http://0.0.0.0:80 --targets t").count == 1)
        let more = "--url http://127.0.0.1:80 --more-urls http://127.0.0.1:81,http://10.0.0.1:80 --targets t"
        #expect(self.problems(more).contains { $0.hasPrefix("10.0.0.1 is another machine") })
        #expect(try self.run("--url http://10.0.0.1:80 --targets t --allow-remote").plan.url.host == "10.0.0.1")
    }

    @Test(arguments: [
        ("--targets t", "--url is missing"),
        ("--url http://127.0.0.1:1", "give either --keys-file"),
        ("--url http://127.0.0.1:1 --targets t --keys-file k", "give either --keys-file"),
        ("--url http://127.0.0.1:1 --targets t --check-database d", "--check-database needs links"),
        ("--url http://127.0.0.1:1 --targets t --pipeline 2 --new-connections", "--pipeline needs"),
        ("--url http://127.0.0.1:1 --targets t --threads 2 --connections 1", "--threads: each needs"),
        ("--url http://127.0.0.1:1 --keys-file k --public-url ftp://x", "--public-url: "),
        ("--url http://127.0.0.1:1 --targets t --connections 20001", "--connections: "),
        ("--url http://127.0.0.1:1 --targets t --duration 3601", "--duration: "),
        ("--url http://127.0.0.1:1 --targets t --rate 0", "--rate: "),
        ("--url http://127.0.0.1:1 --targets t --process hub", "--process: 'hub' is not like"),
        ("--url http://127.0.0.1:1 --targets t --process hub=0", "--process: 'hub=0' is not like"),
        ("--url http://127.0.0.1:1 --targets t --process a=1,a=2", "--process: 'a=2' is given twice"),
        ("--url http://127.0.0.1:1 --keys-file k --kinds acks", "--kinds: 'acks' is neither"),
        ("--url http://127.0.0.1:1 --keys-file k --kinds ack,ack", "--kinds: 'ack' is neither"),
        ("--url http://127.0.0.1:1 --keys-file k --kinds ack:0", "--kinds: 'ack:0' is not like"),
        ("--url http://127.0.0.1:1 --keys-file k --links 10000001", "--links: "),
        ("--url http://127.0.0.1:1 --keys-file k --launches 0", "--launches: "),
        ("--url http://127.0.0.1:1 --targets t --more-urls http://127.0.0.1:2,", "--more-urls: '' is not like"),
        ("--url http://127.0.0.1:1 --targets t --more-urls https://127.0.0.1:2", "--more-urls: scheme and host"),
        ("--url http://127.0.0.1:1 --targets t --more-urls http://127.0.0.2:2", "--more-urls: scheme and host"),
        (
            "--url http://127.0.0.1:1 --targets t --more-urls http://127.0.0.1:2 --connections 1",
            "--more-urls: each needs"
        ),
        ("--url http://127.0.0.1:1 --targets t --settle-seconds 0", "--settle-seconds: "),
        ("--url http://127.0.0.1:1 --keys-file k --settle-seconds 1 --check-database d", "--settle-seconds: the check"),
    ]) func namesAMistake(words: String, problem: String) {
        let found = self.problems(words)
        #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
    }
}
