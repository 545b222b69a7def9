import CPostgres
import Synchronization

/// Cancels what a connection runs, from any thread, also after the connection has closed.
package final class PostgresCanceller: Sendable {
    /// Guarded by the lock: PQcancel only reads it, but `deinit` frees it.
    private let handle: Mutex<Handle>

    private struct Handle: ~Copyable, @unchecked Sendable {  // Only reached through the lock.
        let pointer: OpaquePointer?
        deinit { PQfreeCancel(self.pointer) }
    }

    init(_ connection: OpaquePointer) { self.handle = Mutex(Handle(pointer: PQgetCancel(connection))) }

    /// Asks the server to cancel; the statement then fails with SQLSTATE 57014, unless it was through already.
    ///
    /// Blocks for one connection to the server, under `tcp_user_timeout` but without a time-out of ours. False when that
    /// failed.
    @discardableResult
    package func cancel() -> Bool {
        self.handle.withLock { handle in
            guard let pointer = handle.pointer else { return false }
            var message = [CChar](repeating: 0, count: 256)
            return PQcancel(pointer, &message, Int32(message.count)) == 1
        }
    }
}
