import EventSpool
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.blocking)
struct SpoolFailureTests {
    private static let segment = "0000000000000000.seg"

    /// A full disk refuses the group, says so, and accepts again by itself, without anybody's append.
    @Test(arguments: [ENOSPC, EDQUOT]) func diskFullEndsByItself(code: Int32) throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        try client.append("before")
        files.setFailure { call, _, _ in call == .write ? code : nil }
        #expect(try client.append("one", "two") == [.diskFull, .diskFull])
        #expect(client.spool.refusal == .diskFull)
        #expect(try client.append("three") == [.diskFull])
        files.setFailure(nil)
        try waitUntil("room") { client.spool.refusal == nil }
        #expect(try client.append("after") == [nil])
        #expect(try client.texts() == ["before", "after"])
        #expect(client.spool.metrics.recordsRefused == [.diskFull: 3])
        #expect(client.log.count(containing: "no room") == 1)
        #expect(client.log.count(containing: "there is room again") == 1)
    }

    /// What a write left before the disk was full never comes back: not in this process, not in the next one.
    @Test func refusedRecordsStayAway() throws {
        let files = MemoryFileSystem()
        files.setShortWrites()
        let client = try SpoolClient(files)
        try client.append("before")
        let writes = files.count(.write)
        // The first write takes half, and there is no room for the rest.
        files.setFailure { call, _, number in call == .write && number > writes + 1 ? ENOSPC : nil }
        #expect(try client.append("one", "two", "three", "four") == [.diskFull, .diskFull, .diskFull, .diskFull])
        files.setFailure(nil)
        try waitUntil("room") { client.spool.refusal == nil }
        #expect(try SpoolClient(files.afterKill()).texts() == ["before"])
        #expect(try client.append("x") == [nil])
        #expect(try client.texts() == ["before", "x"])
        #expect(try SpoolClient(files.afterKill()).texts() == ["before", "x"])
    }

    /// A write error and a sync error end it for ever: nothing is tried on the file again, also when it would work.
    @Test(arguments: [MemoryFileSystem.Call.write, .syncData]) func failsForEver(call failing: MemoryFileSystem.Call)
        throws
    {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        try client.append("before")
        files.setFailure { call, _, _ in call == failing ? EIO : nil }
        #expect(try client.append("one", "two") == [.failed, .failed])
        files.setFailure(nil)
        let syncs = files.count(.syncData)
        let writes = files.count(.write)
        for _ in 0..<3 { #expect(try client.append("later") == [.failed]) }
        #expect(client.spool.refusal == .failed)
        #expect(files.count(.syncData) == syncs)
        #expect(files.count(.write) == writes)
        #expect(try client.texts() == ["before"])
        #expect(client.log.count(containing: "failed") == 1)
        #expect(client.spool.metrics.recordsRefused == [.failed: 5])
        client.spool.close()
        #expect(files.count(.syncData) == syncs)
    }

    /// A full disk at fdatasync is a failed sync, not a full disk: the kernel may have dropped the pages.
    @Test func noRoomAtTheSyncFails() throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        files.setFailure { call, _, _ in call == .syncData ? ENOSPC : nil }
        #expect(try client.append("one") == [.failed])
        #expect(client.spool.refusal == .failed)
    }

    /// Where the zeros of the repair hit a worse error, it is over.
    @Test(arguments: [MemoryFileSystem.Call.write, .syncData]) func failsWhenTheRepairFails(call: MemoryFileSystem.Call)
        throws
    {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        let first = Mutex(true)
        files.setFailure { at, _, _ in
            let isFirst = first.withLock { isFirst in
                defer { isFirst = isFirst && at != .write }
                return isFirst && at == .write
            }
            if isFirst { return ENOSPC }
            return at == call ? EIO : nil
        }
        #expect(try client.append("one") == [.diskFull])
        try waitUntil("failure") { client.spool.refusal == .failed }
        files.setFailure(nil)
        #expect(try client.append("two") == [.failed])
    }

    /// Writes that write less than asked change nothing.
    @Test func goesOnAfterShortWrites() throws {
        let files = MemoryFileSystem()
        files.setShortWrites()
        let client = try SpoolClient(files)
        let texts = (0..<100).map { String(repeating: "s", count: $0) + "\($0)" }
        for start in stride(from: 0, to: 100, by: 5) {
            try client.append(texts[start..<(start + 5)].map { Array($0.utf8) })
        }
        #expect(try client.texts() == texts)
        #expect(try SpoolClient(files.afterPowerCut(seed: 3)).texts() == texts)
    }

    /// No room for the next segment: appends are refused when this one is used up, and accepted when there is room. Any other
    /// error there is tried again too, for it hits only a file without a record.
    @Test(arguments: [(ENOSPC, SpoolRefusal.diskFull), (EIO, .failed)])
    func waitsForTheNextSegment(code: Int32, refusal: SpoolRefusal) throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        files.setFailure { call, name, _ in call == .write && name.hasSuffix(".new") ? code : nil }
        var accepted: [String] = []
        let record = String(repeating: "n", count: 300)
        while try client.append(record + "\(accepted.count)") == [nil] { accepted.append(record + "\(accepted.count)") }
        #expect(accepted.count == 13)
        #expect(client.spool.refusal == refusal)
        files.setFailure(nil)
        try waitUntil("a segment") { client.spool.refusal == nil }
        #expect(try client.append("after") == [nil])
        #expect(try client.texts() == accepted + ["after"])
        #expect(files.names.filter { $0.hasSuffix(".new") } == [])
        #expect(client.log.count(containing: "can't be prepared") == 1)
    }

    /// A disk that has no room beside the present segment for one twice as large goes on with smaller ones, for ever.
    @Test func goesOnInSmallerSegments() throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files, SpoolClient.configuration(segmentBytes: 64 << 20))
        files.setFailure { call, name, _ in
            guard call == .write && name.hasSuffix(".new") else { return nil }
            let used = files.names.reduce(0) { $0 + (files.content($1)?.count ?? 0) }
            return used >= 5 << 20 ? ENOSPC : nil
        }
        let record = [UInt8](repeating: 0x64, count: 60_000)
        for _ in 0..<160 {
            try waitUntil("room") { try client.append([record]) == [nil] }
            client.spool.release(upTo: client.spool.durable)
        }
        #expect(client.spool.metrics.recordsAppended == 160)
        #expect(client.spool.refusal == nil)
    }

    /// While the disk hangs, what waits is limited, refused beyond it at once, and kept up to it.
    @Test func limitsWhatWaits() throws {
        var configuration = SpoolClient.configuration(segmentBytes: 64 << 10)
        configuration.waitingBytesMax = 10_000
        let files = MemoryFileSystem()
        let client = try SpoolClient(files, configuration)
        let gate = Mutex(true)
        let isStuck = Mutex(false)
        files.setFailure { call, _, _ in
            while call == .syncData && gate.withLock({ $0 }) {
                isStuck.withLock { $0 = true }
                usleep(100)
            }
            return nil
        }
        let record = [UInt8](repeating: 0x68, count: 1000)
        func submit() -> SpoolRefusal? {
            client.appender.append(record.span.bytes)
            return client.appender.submit()?.refusal
        }
        #expect(submit() == nil)
        try waitUntil("the sync to hang") { isStuck.withLock { $0 } }
        for number in 0..<20 { #expect(submit() == (number < 9 ? nil : .full)) }
        // Nothing of it among the results, which are in order: the first ones are still to come.
        #expect(try client.outcomes(0) == [])
        #expect(client.spool.metrics.waitingBytes == 9 * 1008)
        #expect(client.spool.metrics.recordsRefused == [.full: 11])
        gate.withLock { $0 = false }
        #expect(try client.outcomes(10) == [SpoolRefusal?](repeating: nil, count: 10))
        #expect(client.spool.metrics.waitingBytes == 0)
    }

    /// Any single call that fails, with any error: what was acknowledged is there once and in order, in this process and in
    /// the next one; what was refused is not, unless the spool failed.
    @Test(arguments: [ENOSPC, EIO, EMFILE]) func survivesAnySingleFailure(code: Int32) throws {
        for call in MemoryFileSystem.Call.allCases where call != .byteCount && call != .read {
            for number in 1..<40 {
                let files = MemoryFileSystem()
                let client = try SpoolClient(files)
                let first = files.count(call)
                files.setFailure { $0 == call && $2 == first + number ? code : nil }
                var accepted: [String] = []
                for index in 0..<40 {
                    let text = "\(index) " + String(repeating: "f", count: 20 * (index % 17))
                    if try client.append(text) == [nil] { accepted.append(text) }
                    if index == 20 { client.spool.release(upTo: SpoolPosition(offset: 1)) }
                }
                files.setFailure(nil)
                guard files.count(call) >= first + number else { break }
                #expect(try client.texts() == accepted, "\(call) \(number)")
                let hasFailed = client.spool.refusal == .failed
                client.spool.close()
                let after = try SpoolClient(files.afterKill()).texts()
                #expect(hasFailed ? after.starts(with: accepted) : after == accepted, "\(call) \(number)")
            }
        }
    }

    /// Opening a directory where a call fails is an error that names the call, and the next attempt works.
    @Test func openingReportsAnyFailure() throws {
        for call in MemoryFileSystem.Call.allCases {
            for number in 1..<12 {
                let files = MemoryFileSystem()
                try SpoolClient(files).append("kept")
                let disk = files.afterKill()
                let first = disk.count(call)
                disk.setFailure { $0 == call && $2 == first + number ? EIO : nil }
                do {
                    let client = try SpoolClient(disk)
                    disk.setFailure(nil)
                    // Reading around an unreadable page is not an error, but what was on it is lost.
                    if call != .read { #expect(try client.texts() == ["kept"]) }
                } catch let error as SpoolError {
                    #expect(error.code == .unusable && error.errno == EIO && error.isRetriable)
                    disk.setFailure(nil)
                    #expect(try SpoolClient(disk).texts() == ["kept"], "\(call) \(number)")
                }
            }
        }
    }

    /// What one caller appends is taken whole or not at all, also where its last part alone would have found room.
    @Test func takesAllOfACallersRecordsOrNone() async throws {
        var configuration = SpoolClient.configuration(segmentBytes: 4096)
        configuration.bytesMax = 6_000
        let client = try SpoolClient(MemoryFileSystem(), configuration)
        let large = [[UInt8]](repeating: [UInt8](repeating: 7, count: 700), count: 9)
        #expect(await client.spool.append(large + [[1, 2, 3]]) == .full)
        #expect(client.spool.metrics.recordsAppended == 0)
        #expect(await client.spool.append(Array(large.prefix(5)) + [[1, 2, 3]]) == nil)
        #expect(client.spool.metrics.recordsAppended == 6)
        #expect(await client.spool.append(large) == .full)
        #expect(client.spool.metrics.recordsAppended == 6)
        #expect(await client.spool.append([[4]]) == nil)
    }
}
