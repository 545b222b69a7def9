/// Why a request got no answer.
enum LoadFailure: Int, Sendable, CaseIterable {
    /// No connection could be made: the server never saw the request.
    case connect
    /// The handshake failed, or the connection that it needs could not be made.
    case tls
    /// The server closed the connection before the answer was whole.
    case closed
    case reset
    case timeout
    /// What came was no HTTP answer.
    case malformed

    var name: String { String(describing: self) }
}

/// What became of the links of one kind.
struct KindTally: Sendable, Equatable {
    /// Requests answered 2xx.
    var answered = 0
    /// Different links that were answered 2xx at least once.
    var distinctAnswered = 0
    /// Requests that the server may have taken, but whose answer did not come.
    var unknown = 0
    /// Different links that are only known to be unknown.
    var distinctUnknown = 0

    mutating func merge(_ other: KindTally) {
        self.answered += other.answered
        self.distinctAnswered += other.distinctAnswered
        self.unknown += other.unknown
        self.distinctUnknown += other.distinctUnknown
    }
}

/// What happened on the wire, warm-up included unless it says otherwise.
struct LoadTally: Sendable {
    /// Nanoseconds from the moment a request was due to the end of its answer, or until it was given up; of requests due
    /// in the measured time. A closed loop's requests are due when they are sent.
    var latency = LatencyHistogram()
    /// Of the same requests, nanoseconds from when they were due until they were handed to the kernel: what an open loop
    /// was late, by its own fault or because no connection was free.
    var lateness = LatencyHistogram()
    var sent = 0
    /// Answers that ended in the measured time, of any status.
    var answersMeasured = 0
    /// By status.
    var statuses = [Int](repeating: 0, count: 600)
    /// By `LoadFailure`.
    var failures = [Int](repeating: 0, count: LoadFailure.allCases.count)
    /// Requests that were due and found no free connection until the end.
    var unsent = 0
    /// Requests whose link had been hit before in this run.
    var repeats = 0
    var connectionsOpened = 0
    /// Monotonic nanoseconds; 0 without an answer.
    var lastAnswer: UInt64 = 0
    /// By `RequestKind`.
    var kinds = [KindTally](repeating: KindTally(), count: RequestKind.allCases.count)

    var answered: Int { self.statuses.reduce(0, +) }
    var succeeded: Int { self.statuses[200..<300].reduce(0, +) }
    var failed: Int { self.failures.reduce(0, +) }
    /// Whether every request was answered 2xx.
    var isFlawless: Bool { self.failed == 0 && self.unsent == 0 && self.succeeded == self.answered }

    subscript(_ kind: RequestKind) -> KindTally { self.kinds[Int(kind.rawValue)] }

    /// Adds another thread's.
    mutating func merge(_ other: LoadTally) {
        self.latency.merge(other.latency)
        self.lateness.merge(other.lateness)
        self.sent += other.sent
        self.answersMeasured += other.answersMeasured
        for index in self.statuses.indices { self.statuses[index] += other.statuses[index] }
        for index in self.failures.indices { self.failures[index] += other.failures[index] }
        self.unsent += other.unsent
        self.repeats += other.repeats
        self.connectionsOpened += other.connectionsOpened
        self.lastAnswer = max(self.lastAnswer, other.lastAnswer)
        for index in self.kinds.indices { self.kinds[index].merge(other.kinds[index]) }
    }
}
