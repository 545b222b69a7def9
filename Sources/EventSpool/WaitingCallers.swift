/// Callers that wait until their records are durable, in the order of their records. Who has an answer is let go, also while
/// there is always somebody waiting.
struct WaitingCallers<Answer: Sendable>: Sendable {
    struct Caller: Sendable {
        var recordsLeft: Int
        /// Why some of its records are not durable.
        var refusal: SpoolRefusal?
        /// Takes the outcome.
        let answer: Answer
    }

    private var callers: [Caller] = []
    private var first = 0

    /// `records` is at least 1.
    mutating func append(records: Int, _ answer: Answer) {
        self.callers.append(Caller(recordsLeft: records, answer: answer))
    }

    /// The next `count` records have this outcome; callers whose last record is among them go to `finished`.
    mutating func settle(_ count: Int, _ refusal: SpoolRefusal?, into finished: inout [Caller]) {
        var left = count
        while left > 0 {
            let share = min(left, self.callers[self.first].recordsLeft)
            self.callers[self.first].recordsLeft -= share
            if self.callers[self.first].refusal == nil { self.callers[self.first].refusal = refusal }
            left -= share
            guard self.callers[self.first].recordsLeft == 0 else { return }
            finished.append(self.callers[self.first])
            self.first += 1
        }
        // Half of it or more is answered: moving the rest costs no more than what was let go.
        if 2 * self.first >= self.callers.count {
            self.callers.removeFirst(self.first)
            self.first = 0
        }
    }

    /// Places held, answered ones too.
    var places: Int { self.callers.count }
}
