import MessageIDs
import StrictJSON

/// What a simulation did and whether the hub's reports agree.
struct SimulationOutcome: Sendable {
    var seed: UInt64
    var launch: LaunchID
    var messageCount: Int
    var seconds: Double
    var record: PlayRecord
    /// API requests that had to be sent again.
    var requestsRepeated: Int
    var sections: [ComparedSection]
    /// One sentence each; empty when all is exact.
    var differences: [String]

    var text: String {
        var table = TextTable(header: ["", "simulated", "reported"])
        for section in self.sections {
            table.row([section.title, "", ""])
            for figure in section.figures where figure.isDifferent || figure.expected != Bounds(exactly: 0) {
                let mark = figure.isDifferent ? "  <-- differs" : ""
                table.row([
                    "  " + figure.name, figure.expected.text, (figure.reported.map(String.init) ?? "nothing") + mark,
                ])
            }
            for rate in section.rates {
                table.row(["  " + rate.name, Self.text(rate.expected), Self.text(rate.reported)])
            }
        }
        return """
            launch \(self.launch.text) of account \(self.launch.account), campaign \(self.launch.campaign), \
            seed \(self.seed)
            \(self.messageCount) messages, \(self.record.answered) answered requests in \(Int(self.seconds)) s

            \(table.text)

            on the way: \(self.record.lost) answers lost, \(self.record.abandoned) connections closed before the answer, \
            \(self.record.repaired) links repaired, \(self.record.damaged) refused as damaged, \
            \(self.record.heads) HEAD and OPTIONS
            from the hub: \(self.record.failed) connections failed (\(self.record.unseen) after the request was sent), \
            \(self.record.unavailable) answers 503, \(self.requestsRepeated) API requests repeated
            \(self.differences.isEmpty ? "no difference" : "\(self.differences.count) differences")
            """
    }

    private static func text(_ rate: Double?) -> String {
        guard let rate else { return "–" }
        let tenths = Int((rate * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension JSONWriter {
    mutating func outcome(_ outcome: SimulationOutcome) {
        self.beginObject()
        self.key("launch_id")
        self.string(outcome.launch.text)
        self.key("seed")
        self.string(String(outcome.seed))
        let counts = [
            ("messages", outcome.messageCount), ("answered", outcome.record.answered),
            ("answers_lost", outcome.record.lost), ("abandoned", outcome.record.abandoned),
            ("damaged", outcome.record.damaged), ("failed", outcome.record.failed),
            ("unseen", outcome.record.unseen), ("unavailable", outcome.record.unavailable),
        ]
        for (name, count) in counts {
            self.key(name)
            self.number(Int64(count))
        }
        self.key("figures")
        self.beginArray()
        for section in outcome.sections {
            for figure in section.figures { self.figure(figure, of: section.title) }
        }
        self.endArray()
        self.key("differences")
        self.beginArray()
        for difference in outcome.differences { self.string(difference) }
        self.endArray()
        self.endObject()
    }

    private mutating func figure(_ figure: Comparison, of section: String) {
        self.beginObject()
        self.key("section")
        self.string(section)
        self.key("name")
        self.string(figure.name)
        self.key("simulated_min")
        self.number(Int64(figure.expected.low))
        self.key("simulated_max")
        self.number(Int64(figure.expected.high))
        self.key("reported")
        if let reported = figure.reported { self.number(Int64(reported)) } else { self.null() }
        self.endObject()
    }
}
