/// How hard a run asks, and for how long.
struct LoadPlan: Sendable {
    let url: LoadURL
    /// Further servers that take the same requests: the connections take turns among all.
    var moreURLs: [LoadURL] = []
    var connections = 64
    var threads = 1
    /// Requests a second of all threads, sent at their times whatever the server does (an open loop); nil sends the next
    /// request when an answer came (a closed loop).
    var rate: Int?
    /// Requests that a connection may have under way at once.
    var pipeline = 1
    /// A connection for each request.
    var newConnections = false
    /// Whether the certificate of an `https` server is checked.
    var verifiesTLS = true
    var durationNanoseconds: UInt64 = 10_000_000_000
    var warmUpNanoseconds: UInt64 = 2_000_000_000
    /// How long an answer may take.
    var timeoutNanoseconds: UInt64 = 5_000_000_000
    /// The run ends early when so many were sent.
    var requestsMax = Self.requestsLimit

    static let connectionsLimit = 20_000
    static let threadsLimit = 64
    static let serversLimit = 64
    static let pipelineLimit = 64
    static let rateLimit = 10_000_000
    static let requestsLimit = 1_000_000_000
    static let durationSecondsLimit = 3_600
    static let warmUpSecondsLimit = 600
    static let timeoutSecondsLimit = 600

    init(url: LoadURL) { self.url = url }

    /// Where the connection of that number, of all threads, goes.
    func url(ofConnection number: Int) -> LoadURL {
        let server = number % (1 + self.moreURLs.count)
        return server == 0 ? self.url : self.moreURLs[server - 1]
    }

    /// A thread's share of so many requests or connections: the shares lie behind one another and differ by 1 at most.
    func share(of whole: Int, thread: Int) -> Range<Int> {
        whole * thread / self.threads..<whole * (thread + 1) / self.threads
    }
}

/// A run's times on the monotonic clock, in nanoseconds: what comes before `measureStart` is warm-up.
struct LoadWindow: Sendable {
    let start: UInt64
    let measureStart: UInt64
    /// Nothing is meant to be sent from here on.
    let end: UInt64
    /// What is under way then is given up.
    let drainEnd: UInt64

    init(start: UInt64, _ plan: LoadPlan) {
        self.start = start
        self.measureStart = start + plan.warmUpNanoseconds
        self.end = self.measureStart + plan.durationNanoseconds
        self.drainEnd = self.end + plan.timeoutNanoseconds
    }

    var measured: Range<UInt64> { self.measureStart..<self.end }
}
