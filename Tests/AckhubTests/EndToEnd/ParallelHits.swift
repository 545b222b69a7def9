import Synchronization
import TestSupport
import Testing

@testable import ackhub

/// Hits made at the same time from several threads, in turn to each of the hubs; the statuses, in order.
struct ParallelHits: Sequence {
    private let statuses: [Int?]
    private static let threadCount = 16

    init(_ paths: [String], to hubs: [TestHub]) {
        let statuses = Mutex([Int?](repeating: nil, count: paths.count))
        Threads.run(Self.threadCount) { thread in
            for index in stride(from: thread, to: paths.count, by: Self.threadCount) {
                let status = hubs[index % hubs.count].hit(paths[index])
                statuses.withLock { $0[index] = status }
            }
        }
        self.statuses = statuses.withLock { $0 }
    }

    func makeIterator() -> IndexingIterator<[Int?]> { self.statuses.makeIterator() }
}
