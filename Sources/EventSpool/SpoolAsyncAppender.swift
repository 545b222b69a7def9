/// Appends for callers that may wait: one appender behind a lock, and the callers in the order of their records.
final class SpoolAsyncAppender: @unchecked Sendable {
    private typealias Callers = WaitingCallers<CheckedContinuation<SpoolRefusal?, Never>>

    private struct Content {
        var appender: SpoolAppender?
        var callers = Callers()
    }

    // The appender is only used with this monitor's lock held.
    private let content = Monitor(Content())

    init(inbox: SpoolInbox, configuration: SpoolConfiguration) {
        let appender = SpoolAppender(inbox: inbox, configuration: configuration) { [weak self] in self?.resumeCallers()
        }
        self.content.withLock { $0.appender = appender }
    }

    /// Nil when all are durable; else why some are not.
    func append(_ records: [[UInt8]]) async -> SpoolRefusal? {
        guard !records.isEmpty else { return nil }
        return await withCheckedContinuation { continuation in
            let refusal = self.content.withLock { content -> SpoolRefusal? in
                guard let appender = content.appender else { preconditionFailure("init makes the appender") }
                for record in records { record.withUnsafeBytes { appender.append($0) } }
                if let refused = appender.submit() { return refused.refusal }
                content.callers.append(records: records.count, continuation)
                return nil
            }
            if let refusal { continuation.resume(returning: refusal) }
        }
    }

    private func resumeCallers() {
        let finished = self.content.withLock { content -> [Callers.Caller] in
            guard let appender = content.appender else { return [] }
            var finished: [Callers.Caller] = []
            appender.takeResults { count, refusal in content.callers.settle(count, refusal, into: &finished) }
            return finished
        }
        for caller in finished { caller.answer.resume(returning: caller.refusal) }
    }
}
