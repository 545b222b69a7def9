import Foundation
import Glibc
import Synchronization

/// Reads a pipe to its end on a thread of its own, into memory. The thread keeps the reader alive and owns the descriptor.
final class PipeReader: Sendable {
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        var isComplete = false
    }

    init(_ descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count == -1 && errno == EINTR { continue }
                guard count > 0 else { break }
                self.state.withLock { $0.bytes.append(contentsOf: buffer[..<count]) }
            }
            close(descriptor)
            self.state.withLock { $0.isComplete = true }
        }
    }

    var text: String { String(decoding: self.state.withLock { $0.bytes }, as: UTF8.self) }
    var isComplete: Bool { self.state.withLock { $0.isComplete } }
}
