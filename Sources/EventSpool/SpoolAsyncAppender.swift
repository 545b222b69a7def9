/// Appends for callers that may wait: one appender behind a lock, and the callers in the order of their records.
final class SpoolAsyncAppender: @unchecked Sendable {
    private struct Caller: Sendable {
        var recordsLeft: Int
        var refusal: SpoolRefusal?
        let continuation: CheckedContinuation<SpoolRefusal?, Never>
    }

    private struct Content {
        var appender: SpoolAppender?
        var callers: [Caller] = []
        var firstCaller = 0
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
                content.callers.append(Caller(recordsLeft: records.count, continuation: continuation))
                return nil
            }
            if let refusal { continuation.resume(returning: refusal) }
        }
    }

    private func resumeCallers() {
        let finished = self.content.withLock { content -> [Caller] in
            guard let appender = content.appender else { return [] }
            var finished: [Caller] = []
            appender.takeResults { count, refusal in
                var left = count
                while left > 0 {
                    let share = min(left, content.callers[content.firstCaller].recordsLeft)
                    content.callers[content.firstCaller].recordsLeft -= share
                    if let refusal, content.callers[content.firstCaller].refusal == nil {
                        content.callers[content.firstCaller].refusal = refusal
                    }
                    left -= share
                    if content.callers[content.firstCaller].recordsLeft == 0 {
                        finished.append(content.callers[content.firstCaller])
                        content.firstCaller += 1
                    }
                }
            }
            if content.firstCaller == content.callers.count {
                content.callers.removeAll(keepingCapacity: true)
                content.firstCaller = 0
            }
            return finished
        }
        for caller in finished { caller.continuation.resume(returning: caller.refusal) }
    }
}
