import MessageIDs

/// What a request, or a group of its lines, came to: for the metrics.
struct MintReport: Sendable {
    /// Messages answered.
    var minted: UInt64 = 0
    /// NDJSON lines answered with an error.
    var linesRefused: UInt64 = 0
    /// Payloads answered, by provider.
    var payloadsRendered: [Provider: UInt64] = [:]
    /// Recipients, lines and whole requests that got no payload, by the problem's code.
    var payloadsRefused: [String: UInt64] = [:]
}

extension APIMetrics {
    mutating func add(_ report: MintReport) {
        self.messagesMinted += report.minted
        self.linesRefused += report.linesRefused
        for (provider, count) in report.payloadsRendered { self.payloadsRendered[provider, default: 0] += count }
        for (code, count) in report.payloadsRefused { self.payloadsRefused[code, default: 0] += count }
    }
}
