import CommandLineOptions
import Glibc
import HubLinks
import MessageIDs
import StrictJSON

extension BenchCommand {
    private static let url = Option(
        "url", .loadURL, .required, help: "where the hub listens: http, an address of this machine and a port")
    private static let keysFile = Option("keys-file", .text("PATH"), .required, help: "the hub's key ring")
    private static let connections = Option(
        "connections", .count(in: 1...LoadPlan.connectionsLimit), .defaults(to: 10_000, text: "10000"), help: "how many"
    )
    private static let hold = Option(
        "hold-seconds", .count("SECONDS", in: 0...600), .defaults(to: 2, text: "2"), help: "how long they are then idle"
    )
    private static let process = Option("process", .processes, .required, help: "the hub, whose memory is read")
    private static let options: [any CommandOption] = [url, keysFile, connections, hold, process, .json]

    /// `ackhub-bench idle`: what a connection that waits costs in memory.
    static let idle = BenchCommand(
        name: "idle",
        summary: "hold idle connections and say how much memory the server needs",
        usage: "--url URL --keys-file PATH --process NAME=PID [OPTION]…",
        discussion: """
            Opens one connection after another, has a hit answered on each, keeps all open without a word, and prints the
            process's resident memory before and then, in MiB, with the most that it ever was. Exit status 1 when the
            server refuses or closes one.
            """,
        options: options,
        run: { words in
            let arguments = try Arguments.parse(words, options: options)
            let url = arguments[url]
            guard url.isLoopback else { throw UsageError(problems: ["--url: \(url.host) is another machine"]) }
            guard arguments[process].count == 1 else { throw UsageError(problems: ["--process: one is enough"]) }
            let list = try IdleConnections.requests(arguments[connections], url, keysFile: arguments[keysFile])
            let before = try ResidentMemory(of: arguments[process][0])
            let connections = IdleConnections(url)
            try connections.open(list)
            sleep(UInt32(arguments[hold]))
            let held = try ResidentMemory(of: arguments[process][0])
            let idle = connections.countIdle()
            guard idle == list.count else { throw CommandError("of \(list.count) connections \(idle) are still open") }
            try arguments[.json]
                ? Output.json { $0.idle(list.count, before, held) }
                : Output.line(
                    "before \(before.mebibytes) MiB, with \(list.count) idle connections \(held.mebibytes) MiB, "
                        + "peak \(held.peakMebibytes) MiB")
            return .success
        }
    )
}

extension IdleConnections {
    /// A hit for each connection, of a launch of its own.
    fileprivate static func requests(_ count: Int, _ url: LoadURL, keysFile: String) throws -> RequestList {
        let source = LoadRun.LinkSource(
            keysFile: keysFile, publicURL: "http://\(url.authority)", account: 1, campaign: 1, count: count)
        var list = RequestList(authority: url.authority, closes: false)
        _ = try source.append(to: &list)
        return list
    }
}

extension ResidentMemory {
    fileprivate var mebibytes: String { (Double(self.bytes) / 1_048_576).fixedPoint(1) }
    fileprivate var peakMebibytes: String { (Double(self.peakBytes) / 1_048_576).fixedPoint(1) }
}

extension JSONWriter {
    fileprivate mutating func idle(_ connections: Int, _ before: ResidentMemory, _ held: ResidentMemory) {
        self.beginObject()
        self.key("connections")
        self.number(connections)
        self.key("resident_bytes_before")
        self.number(before.bytes)
        self.key("resident_bytes")
        self.number(held.bytes)
        self.key("resident_bytes_peak")
        self.number(held.peakBytes)
        self.endObject()
    }
}
