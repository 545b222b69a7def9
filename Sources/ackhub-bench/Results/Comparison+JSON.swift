import StrictJSON

extension JSONWriter {
    /// All runs of all sides, their spreads, and for two sides the ratios of the medians.
    mutating func comparison(_ comparison: Comparison) {
        self.beginObject()
        self.key("sides")
        self.beginArray()
        for side in comparison.sides {
            self.beginObject()
            self.key("name")
            self.string(side.name)
            self.key("figures")
            self.figures(side)
            self.key("runs")
            self.beginArray()
            for outcome in side.outcomes { self.outcome(outcome) }
            self.endArray()
            self.endObject()
        }
        self.endArray()
        self.key("ratios")
        self.beginObject()
        for figure in Figure.allCases {
            guard let ratio = comparison.ratio(figure) else { continue }
            self.key(figure.key)
            self.number(ratio)
        }
        self.endObject()
        self.endObject()
    }

    private mutating func figures(_ side: Comparison.Side) {
        self.beginObject()
        for figure in Figure.allCases {
            guard let spread = side.spread(figure) else { continue }
            self.key(figure.key)
            self.spread(spread)
        }
        self.endObject()
    }
}
