import Synchronization

/// Lets one line per key through in ten seconds and counts the rest.
final class LogLimiter: Sendable {
    static let intervalNanoseconds: UInt64 = 10_000_000_000
    /// Keys are written by us, so they are few; a bound all the same. The one seen longest ago makes room.
    static let keysMax = 256

    private struct Entry {
        var admittedAt: UInt64
        var suppressed: UInt64 = 0
    }
    private let entries = Mutex<[String: Entry]>([:])

    /// The number of lines left out since the last one, or nil when this one is left out too.
    func admit(_ key: String, at now: UInt64) -> UInt64? {
        self.entries.withLock { entries in
            if let entry = entries[key] {
                // A clock that went back must not silence the log.
                if now >= entry.admittedAt && now - entry.admittedAt < Self.intervalNanoseconds {
                    entries[key]!.suppressed += 1
                    return nil
                }
                entries[key] = Entry(admittedAt: now)
                return entry.suppressed
            }
            if entries.count >= Self.keysMax,
                let oldest = entries.min(by: { $0.value.admittedAt < $1.value.admittedAt })
            {
                entries[oldest.key] = nil
            }
            entries[key] = Entry(admittedAt: now)
            return 0
        }
    }
}
