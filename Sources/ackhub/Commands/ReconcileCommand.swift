import CommandLineOptions
import EventStore
import MessageIDs
import Postgres
import StrictJSON

extension Command {
    private static let account = Option("account", .account, help: "only this account")

    /// `ackhub reconcile`: are the counters what the events say?
    static let reconcile = Command(
        name: "reconcile",
        summary: "recount the raw events against the counters",
        discussion: """
            Counts events and messages anew in one snapshot of the database and compares them with every counter that
            reports read. Prints each difference; exit status 1 on any. Safe while hubs run.
            """,
        options: [account, .json],
        requiredSettings: ["database-url"],
        run: { invocation in
            let outcome = try Reconciliation.run(
                account: invocation.arguments.ifGiven(account), on: try invocation.connect())
            try invocation.arguments[.json] ? printJSON(outcome) : printText(outcome)
            return outcome.differences.isEmpty ? .success : .failure
        }
    )

    private static func printText(_ outcome: Reconciliation.Outcome) throws {
        if !outcome.differences.isEmpty {
            var table = TextTable(header: ["launch", "counter", "counted", "recounted"])
            for difference in outcome.differences {
                table.row([
                    difference.launch.text, difference.counter, String(difference.counted),
                    String(difference.recounted),
                ])
            }
            try Output.line(table.text)
        }
        try Output.line(
            "launches \(outcome.launches), messages \(outcome.messages), events \(outcome.events), "
                + "differences \(outcome.differences.count)")
    }

    private static func printJSON(_ outcome: Reconciliation.Outcome) throws {
        try Output.json { writer in
            writer.beginObject()
            writer.key("launches")
            writer.number(outcome.launches)
            writer.key("messages")
            writer.number(outcome.messages)
            writer.key("events")
            writer.number(outcome.events)
            writer.key("differences")
            writer.beginArray()
            for difference in outcome.differences {
                writer.beginObject()
                writer.key("launch_id")
                writer.string(difference.launch.text)
                writer.key("counter")
                writer.string(difference.counter)
                writer.key("counted")
                writer.number(difference.counted)
                writer.key("recounted")
                writer.number(difference.recounted)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
    }
}
