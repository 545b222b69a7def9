import CommandLineOptions
import StrictJSON

/// The CPU time that each of many like things takes, over several runs: how many a second of it gives, and what one costs,
/// each as the median with the least and the greatest run.
struct CostReport: Sendable {
    /// What is counted, one of them.
    let name: String
    /// CPU microseconds of one, in each run; not empty, none 0.
    let microseconds: [Double]

    private var cost: Spread { Spread(self.microseconds)! }
    /// How many a second of CPU time gives.
    private var rate: Spread { Spread(self.microseconds.map { 1e6 / $0 })! }

    func row(_ row: String) -> String {
        "| \(row) | \(self.rate.median.fixedPoint(0)) | \(self.cost.median.fixedPoint(2)) |"
    }

    var text: String {
        """
        \(self.name)s a second of CPU: \(self.rate.text(0))
        CPU µs a \(self.name): \(self.cost.text(2))
        """
    }

    func print(_ arguments: Arguments, row: String?) throws {
        if let row { return try Output.line(self.row(row)) }
        guard arguments[.json] else { return try Output.line(self.text) }
        try Output.json { writer in
            writer.beginObject()
            writer.key("\(self.name)s_per_cpu_second")
            writer.spread(self.rate)
            writer.key("cpu_microseconds_per_\(self.name)")
            writer.spread(self.cost)
            writer.endObject()
        }
    }
}
