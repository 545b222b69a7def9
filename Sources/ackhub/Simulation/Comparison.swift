import EventStore
import MessageIDs
import StrictJSON

/// One figure, as it must be and as the hub reports it.
struct Comparison: Sendable {
    var name: String
    var expected: Bounds
    /// Nil when the report lacks it.
    var reported: Int?

    var isDifferent: Bool { !(self.reported.map(self.expected.contains) ?? false) }
}

/// A rate, as it must be and as the hub reports it; nil where there is none.
struct RateComparison: Sendable {
    var name: String
    var expected: Double?
    var reported: Double?

    var isDifferent: Bool {
        switch (self.expected, self.reported) {
        case (nil, nil): false
        case (let expected?, let reported?): abs(expected - reported) > 1e-9
        default: true
        }
    }
}

/// Figures compared, under a title.
struct ComparedSection: Sendable {
    var title: String
    var figures: [Comparison] = []
    var rates: [RateComparison] = []

    var differences: [String] {
        self.figures.filter(\.isDifferent).map {
            "\(self.title), \($0.name): \($0.expected.text) simulated, \($0.reported.map(String.init) ?? "nothing") reported"
        }
            + self.rates.filter(\.isDifferent).map {
                "\(self.title), \($0.name): \(Self.text($0.expected)) simulated, \(Self.text($0.reported)) reported"
            }
    }

    private static func text(_ rate: Double?) -> String { rate.map { String($0) } ?? "null" }

    /// Compares a row of a report, an absent one as all zeros.
    init(_ title: String, _ expected: ExpectedRow, reported row: JSONValue?) {
        self.title = title
        func add(_ name: String, _ expected: Bounds) {
            let value = row.map { $0[name]?.int64.map { Int($0) } } ?? 0
            self.figures.append(Comparison(name: name, expected: expected, reported: value))
        }
        add("sent", Bounds(exactly: expected.sent))
        add("delivered", Bounds(exactly: expected.delivered))
        add("acked", Bounds(exactly: expected.acked))
        add("derived", Bounds(exactly: expected.derived))
        add("opened", Bounds(exactly: expected.opened))
        add("opens_total", expected.opensTotal)
        add("acks_total", expected.acksTotal)
        guard let row else { return }
        func rate(_ name: String, _ count: Int, of all: Int) {
            self.rates.append(
                RateComparison(
                    name: name, expected: all == 0 ? nil : Double(count) / Double(all), reported: row[name]?.double))
        }
        rate("delivery_rate", expected.delivered, of: expected.sent)
        rate("open_rate", expected.opened, of: expected.delivered)
    }

    /// Compares the classes of a launch.
    init(classesOf truth: Truth, includingTests: Bool, reported list: [JSONValue]) {
        self.title = "by class"
        for eventClass in EventClass.allCases {
            let row = list.first { $0["class"]?.text == eventClass.name }
            for (kind, name) in [(EventKind.open, "opens_total"), (.ack, "acks_total")] {
                let value = row.map { $0[name]?.int64.map { Int($0) } } ?? 0
                self.figures.append(
                    Comparison(
                        name: "\(eventClass.name) \(name)",
                        expected: truth.total(kind, eventClass, includingTests: includingTests), reported: value))
            }
        }
    }
}
