import CommandLineOptions
import EventStore
import HubServer
import MessageIDs
import Postgres
import StrictJSON

extension Command {
    private static let account = Option("account", .account, help: "its campaigns; with --launch, whose it must be")
    private static let launch = Option("launch", .launch, help: "one launch: totals, per provider, per class")
    private static let from = Option("from", .time, help: "with --account: launched at or after")
    private static let to = Option("to", .time, help: "with --account: launched before")
    private static let tests = Option<Bool>.flag("tests", help: "count test sends too")

    /// `ackhub report`: the numbers of the report endpoints, without a running hub.
    static let report = Command(
        name: "report",
        summary: "print an account's campaigns or one launch",
        discussion: """
            Reads the database, so no hub need run. With --json it prints what GET /v1/reports/launches/{id} or, one
            object a line and page, GET /v1/reports/campaigns answers. Exit status 1 when the launch is unknown.
            """,
        options: [account, launch, from, to, tests, .json],
        requiredSettings: ["database-url"],
        run: { invocation in
            let arguments = invocation.arguments
            switch (arguments.ifGiven(account), arguments.ifGiven(launch)) {
            case (let account, let launch?):
                try requireAgreement(account, launch, arguments)
                try printLaunch(launch, invocation)
            case (let account?, nil): try printCampaigns(of: account, invocation)
            case (nil, nil): throw UsageError(problems: ["either --account or --launch is needed"])
            }
            return .success
        }
    )

    /// A launch names its own account and time, so what is given beside it must not say otherwise.
    private static func requireAgreement(
        _ account: Int64?, _ launch: LaunchID, _ arguments: Arguments
    ) throws(UsageError) {
        var problems: [String] = []
        if let account, account != launch.account {
            problems.append("--launch \(launch.text) is of account \(launch.account), not \(account)")
        }
        for option in [from, to] where arguments.ifGiven(option) != nil {
            problems.append("--\(option.name) selects campaigns: it can't be given with --launch")
        }
        guard problems.isEmpty else { throw UsageError(problems: problems) }
    }

    private static func printLaunch(_ launch: LaunchID, _ invocation: Invocation) throws {
        let isIncludingTests = invocation.arguments[tests]
        guard
            let report = try Reports.launch(launch, includeTests: isIncludingTests, on: try invocation.connect())
        else { throw CommandError("nothing is known of launch \(launch.text)") }
        if invocation.arguments[.json] {
            return try Output.bytes(LaunchReportEndpoint.json(report).bytes + [UInt8(ascii: "\n")])
        }
        var table = TextTable(header: [""] + ReportColumns.names)
        table.row(["all"] + ReportColumns.cells(report.totals))
        for (provider, row) in report.byProvider { table.row([provider.name] + ReportColumns.cells(row)) }
        var classes = TextTable(header: ["class", "opens", "acks"])
        for row in report.byClass { classes.row([row.eventClass.name, String(row.opensTotal), String(row.acksTotal)]) }
        try Output.line(
            """
            launch \(launch.text): account \(launch.account), campaign \(launch.campaign), \
            \(UnixTime.text(nanoseconds: launch.launchedAt))

            \(table.text)

            \(classes.text)
            """)
    }

    private static func printCampaigns(of account: Int64, _ invocation: Invocation) throws {
        let arguments = invocation.arguments
        let connection = try invocation.connect()
        var table = TextTable(header: ["campaign", "launches", "last launched at"] + ReportColumns.names)
        var cursor: [UInt8]?
        repeat {
            let page = try Reports.campaigns(
                account: account, from: arguments.ifGiven(from), to: arguments.ifGiven(to),
                includeTests: arguments[tests], sort: .lastLaunchedAt, descending: true, cursor: cursor, limit: 500,
                on: connection)
            cursor = page.next
            if arguments[.json] {
                try Output.bytes(CampaignsReportEndpoint.json(page.items, next: nil).bytes + [UInt8(ascii: "\n")])
            } else {
                for item in page.items {
                    table.row(
                        [
                            item.name.map { "\(item.campaign) \($0)" } ?? String(item.campaign), String(item.launches),
                            UnixTime.text(nanoseconds: item.lastLaunchedAt),
                        ] + ReportColumns.cells(item.row))
                }
            }
        } while cursor != nil
        if !arguments[.json] { try Output.line(table.text) }
    }
}

/// The columns of a report's row, for people.
private enum ReportColumns {
    static let names = [
        "sent", "delivered", "acked", "derived", "opened", "opens", "acks", "delivery rate", "open rate",
    ]

    static func cells(_ row: ReportRow) -> [String] {
        [row.sent, row.delivered, row.acked, row.derived, row.opened, row.opensTotal, row.acksTotal].map(String.init)
            + [self.percent(row.deliveryRate), self.percent(row.openRate)]
    }

    private static func percent(_ rate: Double?) -> String {
        guard let rate else { return "–" }
        let tenths = Int((rate * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
