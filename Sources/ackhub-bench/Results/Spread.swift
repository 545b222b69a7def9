/// The median of several runs, with the least and the greatest: how far a single run can be trusted.
struct Spread: Sendable, Equatable {
    let median: Double
    let least: Double
    let greatest: Double

    /// Nil without a value.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let least = sorted.first, let greatest = sorted.last else { return nil }
        self.least = least
        self.greatest = greatest
        self.median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// `2.50 (2.40 to 2.61)`
    func text(_ digits: Int) -> String {
        "\(self.median.fixedPoint(digits)) (\(self.least.fixedPoint(digits)) to \(self.greatest.fixedPoint(digits)))"
    }
}
