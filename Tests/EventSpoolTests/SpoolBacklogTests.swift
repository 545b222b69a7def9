import EventSpool
import Glibc
import Synchronization
import TestSupport
import Testing

/// Nobody reads for long: the database is down (field reports T33, T34).
@Suite(.blocking)
struct SpoolBacklogTests {
    /// Twenty thousand records that nobody reads lie on disk, not in memory: the process does not grow, the backlog shows.
    @Test func memoryStaysFlatWithoutAReader() async {
        let folder = TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.file("spool") as String] in
            let client = try SpoolClient(onDisk: SpoolClient.configuration(path, segmentBytes: 1 << 20))
            func append(_ groups: Int) throws {
                for _ in 0..<groups {
                    try client.append([[UInt8]](repeating: [UInt8](repeating: 7, count: 1000), count: 100))
                }
            }
            try append(40)
            let before = Self.residentBytes()
            try append(160)
            let grown = Self.residentBytes() - before
            let metrics = client.spool.metrics
            guard metrics.recordsAppended == 20_000, metrics.bytesHeld > 20_000_000, metrics.segments > 18 else {
                exit(3)
            }
            guard grown < 4 << 20 else { exit(4) }
        }
    }

    /// While the disk hangs, the groups of twenty thousand turns wait in about the memory of their bytes; all are answered
    /// when it goes on.
    @Test func smallGroupsWaitInLittleMemory() async {
        await #expect(processExitsWith: .success) {
            let files = MemoryFileSystem()
            let client = try SpoolClient(files, SpoolClient.configuration(segmentBytes: 8 << 20))
            let isHanging = Atomic<Bool>(true)
            let isStuck = Atomic<Bool>(false)
            files.setFailure { call, _, _ in
                while call == .syncData && isHanging.load(ordering: .acquiring) {
                    isStuck.store(true, ordering: .releasing)
                    usleep(100)
                }
                return nil
            }
            func submit(_ number: Int) {
                client.appender.append(Array("\(number)".utf8).span.bytes)
                guard client.appender.submit() == nil else { exit(3) }
            }
            submit(0)
            try waitUntil("the sync to hang") { isStuck.load(ordering: .acquiring) }
            let before = Self.residentBytes()
            for number in 1...20_000 { submit(number) }
            let grown = Self.residentBytes() - before
            isHanging.store(false, ordering: .releasing)
            guard try client.outcomes(20_001).allSatisfy({ $0 == nil }) else { exit(4) }
            guard try client.texts() == (0...20_000).map(String.init) else { exit(5) }
            guard grown < 4 << 20 else { exit(6) }
        }
    }

    /// The backlog of a killed process is all there for the next one, and is gone from disk when it was released.
    @Test func theNextProcessReadsTheBacklog() throws {
        let folder = TemporaryFolder()
        let configuration = SpoolClient.configuration(folder.file("spool"), segmentBytes: 256 << 10)
        let texts = (0..<10_000).map { "hit \($0) " + String(repeating: "b", count: 80) }
        let first = try SpoolClient(onDisk: configuration)
        for start in stride(from: 0, to: texts.count, by: 250) {
            try first.append(texts[start..<(start + 250)].map { Array($0.utf8) })
        }
        first.spool.close()
        let second = try SpoolClient(onDisk: configuration)
        let reader = try second.spool.makeReader(from: second.spool.oldest)
        var seen: [String] = []
        while try reader.read(recordsMax: 999, bytesMax: 1 << 20, waitMilliseconds: 0, { seen.append(text($0)) }) > 0 {
            second.spool.release(upTo: reader.position)
        }
        #expect(seen == texts)
        #expect(second.spool.metrics.bytesHeld == 0)
        try waitUntil("removal") { second.spool.metrics.segments <= 2 }
    }

    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let fields = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
