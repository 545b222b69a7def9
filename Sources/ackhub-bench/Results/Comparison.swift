/// Runs of several sides, each with its outcomes in order.
struct Comparison: Sendable {
    struct Side: Sendable {
        let name: String
        var outcomes: [RunOutcome] = []

        func spread(_ figure: Figure) -> Spread? { Spread(self.outcomes.compactMap(figure.value)) }

        /// The median of the runs, or their sum, for a table.
        func cell(_ figure: Figure) -> String {
            guard let spread = self.spread(figure) else { return "–" }
            let sum = self.outcomes.compactMap(figure.value).reduce(0, +)
            return (figure.isTotal ? sum : spread.median).fixedPoint(figure.digits)
        }
    }

    var sides: [Side]

    var isRight: Bool { self.sides.allSatisfy { $0.outcomes.allSatisfy(\.isRight) } }

    /// The first side's median over the second's; nil unless there are two with that figure.
    func ratio(_ figure: Figure) -> Double? {
        guard self.sides.count == 2, let first = self.sides[0].spread(figure),
            let second = self.sides[1].spread(figure),
            second.median > 0
        else { return nil }
        return first.median / second.median
    }

    /// In which order the sides run in a round: there and back again (ABBA), so that a machine that slows down or warms
    /// up favours none of them.
    static func order(round: Int, sideCount: Int) -> [Int] {
        round.isMultiple(of: 2) ? Array(0..<sideCount) : Array((0..<sideCount).reversed())
    }

    /// A Markdown row: for each figure the sides' medians, or sums of what is counted, after the first figure their ratio where there are two sides.
    func row(_ name: String, _ figures: [Figure]) -> String {
        var cells = [name]
        for (index, figure) in figures.enumerated() {
            for side in self.sides { cells.append(side.cell(figure)) }
            if index == 0 && self.sides.count == 2 { cells.append(self.ratio(figure)?.fixedPoint(2) ?? "–") }
        }
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// For people: a line for each figure and side.
    var text: String {
        var lines: [String] = []
        for figure in Figure.allCases {
            for side in self.sides {
                guard let spread = side.spread(figure) else { continue }
                lines.append("\(figure.key)  \(side.name): \(spread.text(figure.digits))")
            }
            if let ratio = self.ratio(figure) {
                lines.append("\(figure.key)  \(self.sides[0].name) / \(self.sides[1].name): \(ratio.fixedPoint(3))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
