/// A thread's share of the requests, taken one after another and from the start again when they run out, with what became
/// of each.
struct RequestCursor {
    private struct Outcome: OptionSet {
        let rawValue: UInt8
        static let answered = Outcome(rawValue: 1)
        static let unknown = Outcome(rawValue: 2)
    }

    let list: RequestList
    private let share: Range<Int>
    private var next: Int
    private var outcomes: [Outcome]

    /// - Parameter share: not empty.
    init(_ list: RequestList, share: Range<Int>) {
        precondition(!share.isEmpty && share.upperBound <= list.count, "a thread without requests")
        self.list = list
        self.share = share
        self.next = share.lowerBound
        self.outcomes = Array(repeating: [], count: share.count)
    }

    var count: Int { self.share.count }

    /// Where the next request begins in the list's bytes.
    var nextStart: Int { self.list.starts[self.next] }

    mutating func take() -> Int {
        let request = self.next
        self.next = request + 1 == self.share.upperBound ? self.share.lowerBound : request + 1
        return request
    }

    func bytes(of request: Int) -> Range<Int> { self.list.starts[request]..<self.list.starts[request + 1] }

    /// Notes a 2xx.
    mutating func succeeded(_ request: Int, _ tallies: inout [KindTally]) {
        let index = request - self.share.lowerBound
        let kind = Int(self.list.kinds[request].rawValue)
        tallies[kind].answered += 1
        if self.outcomes[index].contains(.answered) { return }
        if self.outcomes[index].contains(.unknown) { tallies[kind].distinctUnknown -= 1 }
        self.outcomes[index].insert(.answered)
        tallies[kind].distinctAnswered += 1
    }

    /// Notes that the server may have taken a request whose answer did not come.
    mutating func becameUnknown(_ request: Int, _ tallies: inout [KindTally]) {
        let index = request - self.share.lowerBound
        let kind = Int(self.list.kinds[request].rawValue)
        tallies[kind].unknown += 1
        if self.outcomes[index].isEmpty { tallies[kind].distinctUnknown += 1 }
        self.outcomes[index].insert(.unknown)
    }
}
