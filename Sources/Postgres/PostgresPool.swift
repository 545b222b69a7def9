/// A few connections on threads of their own behind a bounded queue, so that async code never blocks the cooperative pool.
///
/// A thread opens its connection when it first needs it, looks before each run whether the server has closed it meanwhile,
/// and drops it after a run that broke it or left a transaction open. No body is ever run twice: what failed is thrown, and
/// `PostgresError.isRetriable` tells whether the caller may try again.
package final class PostgresPool: Sendable {
    private let queue: PostgresPoolQueue
    private let threads: PostgresPoolThreads

    /// - Parameters:
    ///   - connections: threads, each with at most one connection.
    ///   - queueMax: runs that may wait for a thread; more are refused with `.unavailable`.
    package init(_ configuration: PostgresConfiguration, connections: Int, queueMax: Int) {
        precondition(connections > 0 && queueMax > 0)
        let queue = PostgresPoolQueue(waitingMax: queueMax)
        let health = PostgresPoolHealth()
        self.queue = queue
        self.threads = PostgresPoolThreads(count: connections) {
            var worker = PostgresPoolWorker(configuration, health)
            while let job = queue.take() {
                let end = job(&worker)
                queue.finish(isFailure: end.isFailure, connectionsOpened: worker.takeChange())
                end.deliver()
            }
            worker.disconnect()
            queue.finishThread(connectionsOpened: worker.takeChange())
        }
    }

    deinit { self.queue.close() }

    /// Runs `body` on a pool thread, with a connection that is outside of a transaction.
    ///
    /// While the server is away, each run fails within the connect time-out, and without a new try for a second after the
    /// last one. Cancelling the task does not stop the body: the statement time-out bounds it.
    package func run<T: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = self.queue.add { worker in
                let result = Result { try body(try worker.connection()) }
                worker.finishRun()
                guard case .failure = result else { return (false, { continuation.resume(with: result) }) }
                return (true, { continuation.resume(with: result) })
            }
            if !isTaken {
                continuation.resume(
                    throwing: PostgresError(
                        code: .unavailable, detail: "the queue of the database's pool is full or closed"))
            }
        }
    }

    package var metrics: PostgresPoolMetrics { self.queue.metrics }

    /// Refuses new runs, waits for those that were taken, and closes the connections. Not to be called from a run.
    package func close() {
        self.queue.close()
        self.threads.join()
    }
}
