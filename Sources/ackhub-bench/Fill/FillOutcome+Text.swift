extension FillOutcome {
    private var columns: [String] {
        ["stored", "events/s", "batch", "loader µs", "writer µs"] + self.processes.map { "\($0) µs" }
            + ["WAL bytes", "stored bytes"]
    }

    /// Names the columns of the rows.
    var header: String { self.row(self.columns) }

    /// A line of figures, per event where the column's name has a unit.
    func row(of step: FillStep) -> String {
        let counts = ["\(step.stored)", step.eventsPerSecond.fixedPoint(0), step.eventsPerBatch.fixedPoint(0)]
        let times = [step.loader, step.writer] + step.processes
        return self.row(
            counts + times.map { $0.fixedPoint(2) } + [step.walBytes.fixedPoint(0), step.databaseBytes.fixedPoint(0)])
    }

    /// Below the rows.
    var summary: String {
        let whole = self.whole.map { "\nall of them as one:\n\(self.header)\n\(self.row(of: $0))\n" } ?? ""
        return whole
            + "put in    \(self.plan.recordCount) events of \(self.plan.messageCount) messages and "
            + "\(self.plan.launches) launches, by \(self.hubs) hub(s)\n"
            + "check     differences: \(self.differences.count)"
    }

    /// Each cell as wide as its column's name, or as a number of ten digits.
    private func row(_ cells: [String]) -> String {
        zip(cells, self.columns).map { cell, name in
            String(repeating: " ", count: max(10, name.count) - cell.count + 2) + cell
        }.joined()
    }
}
