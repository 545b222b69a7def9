import CommandLineOptions
import StrictJSON

extension Command {
    private static let format = Option("format", .ingestFormat, .required, help: "fcm-bigquery, hms-receipt or ndjson")
    private static let map = Option(
        "map", .text("FILE"),
        help: "which message a provider's name is: {\"message_id\":…,\"uid\":…}\nor message_id,uid a line")
    private static let token = APITarget.token("the scope ingest")
    private static let patience = Option(
        "patience-seconds", .count(in: 1...3_600), .defaults(to: 60, text: "60"),
        help: "how long the hub may be away at a stretch")
    private static let dryRun = Option<Bool>.flag("dry-run", help: "print the lines of events and send nothing")

    /// `ackhub ingest`: events that lie elsewhere.
    static let ingest = Command(
        name: "ingest",
        summary: "send events from a provider's export or receipts to a hub",
        discussion: """
            Reads FILE, or stdin when it is -, line by line and sends its events to POST /v1/ingest.
              fcm-bigquery  rows of firebase_messaging.data as JSON lines; needs --map, because a row has FCM's
                            message id only. MESSAGE_DELIVERED is an ack, the other events are ignored.
              hms-receipt   bodies of Huawei Push Kit's receipt callback, one a line; bi_tag is the message's uid, or
                            what --map says of it. Status 0 is an ack, the others are ignored.
              ndjson        lines of POST /v1/ingest, sent as they are.
            Events of messages that neither the map nor their own id names are ignored and counted. It prints what was
            accepted, ignored and refused, and tells the first refusals on stderr; exit status 1 when something was
            refused. The same input may be sent again, after an error too: each event counts once.

            It speaks plain HTTP: point --url at a listener without TLS.
            """,
        operand: Operand(placeholder: "FILE", help: "what to read; - is stdin"),
        options: [format, map, APITarget.url, token, patience, dryRun, .json],
        optionalSettings: ["public-url"],
        run: { invocation in
            let arguments = invocation.arguments
            let format = arguments[format]
            try requireMap(arguments.ifGiven(map), for: format)
            var names = MessageMap()
            let destination: Ingestion.Destination
            if arguments[dryRun] {
                destination = .standardOutput
            } else {
                let target = try APITarget(invocation)
                destination = .hub(
                    IngestSender(
                        APIClient(
                            target.address, resolved: try ResolvedAddress(target.address), token: target.token,
                            patienceSeconds: arguments[patience], program: "ackhub-ingest")))
            }
            if let path = arguments.ifGiven(map) {
                var lines = try InputLines(path: path, lineBytesMax: MessageMap.lineBytesMax)
                names = try MessageMap(&lines)
            }
            var ingestion = Ingestion(format, map: names, to: destination)
            defer { Output.progress("") }
            do {
                try ingestion.run(try invocation.operand(.text("FILE")))
            } catch {
                Output.diagnostic("so far \(ingestion.tally.accepted) accepted; send the same input again")
                throw error
            }
            try report(ingestion.tally, arguments)
            return ingestion.tally.refusedTotal == 0 ? .success : .failure
        }
    )

    private static func requireMap(_ path: String?, for format: IngestFormat) throws(UsageError) {
        switch (format, path) {
        case (.fcmBigQuery, nil):
            throw UsageError(problems: ["--map is missing: a row of FCM names no message of ours"])
        case (.ndjson, .some):
            throw UsageError(problems: ["--map is for a provider's records: lines name their message"])
        default: break
        }
    }

    /// The counts go to stdout, which is the lines' own in a dry run.
    private static func report(_ tally: IngestTally, _ arguments: Arguments) throws {
        if arguments[dryRun] {
            Output.diagnostic(tally.text)
        } else if arguments[.json] {
            try Output.json { tally.write(to: &$0) }
        } else {
            try Output.line(tally.text)
        }
    }
}
