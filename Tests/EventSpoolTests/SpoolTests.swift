import EventSpool
import Synchronization
import TestSupport
import Testing

@Suite(.blocking)
struct SpoolTests {
    /// What was appended is read in order, also by the next process, under the same identity.
    @Test func readsBackInOrder() throws {
        let folder = TemporaryFolder()
        let first = try SpoolClient(onDisk: SpoolClient.configuration(folder.file("spool")))
        #expect(try first.append("a", "b") == [nil, nil])
        #expect(try first.append("c") == [nil])
        #expect(try first.texts() == ["a", "b", "c"])
        let identity = first.spool.identity
        first.spool.close()

        let second = try SpoolClient(onDisk: SpoolClient.configuration(folder.file("spool")))
        #expect(second.spool.identity == identity)
        #expect(try second.append("d") == [nil])
        #expect(try second.texts() == ["a", "b", "c", "d"])
        #expect(second.spool.metrics.tornTailsRepaired == 0)
        #expect(second.spool.metrics.corruptRegions == 0)
    }

    /// A second spool on the directory is refused, by name, until the first is closed.
    @Test func refusesASecondOwner() throws {
        let folder = TemporaryFolder()
        let configuration = SpoolClient.configuration(folder.file("spool"))
        let first = try SpoolClient(onDisk: configuration)
        let error = #expect(throws: SpoolError.self) { try SpoolClient(onDisk: configuration) }
        #expect(error?.code == .inUse)
        first.spool.close()
        _ = try SpoolClient(onDisk: configuration)
    }

    /// Two directories never have the same identity, and it is a UUID of version 4.
    @Test func identitiesDiffer() throws {
        let identities = try (0..<3).map { _ in try SpoolClient(MemoryFileSystem()).spool.identity }
        #expect(Set(identities).count == 3)
        for identity in identities {
            #expect((identity >> 76) & 0xF == 4)
            #expect((identity >> 62) & 3 == 2)
        }
    }

    /// A log that is longer than a segment goes on in the next one; positions and order are those of one long log.
    @Test func rollsOverManySegments() throws {
        let client = try SpoolClient(MemoryFileSystem())
        var expected: [String] = []
        let follower = try client.spool.makeReader(from: client.spool.oldest)
        for number in 0..<300 {
            let text = String(repeating: "x", count: number % 90) + "\(number)"
            #expect(try client.append(text) == [nil])
            expected.append(text)
            #expect(try follower.read(recordsMax: 1, bytesMax: 1, waitMilliseconds: 0) { _ in } == 1)
            #expect(follower.position == client.spool.durable)
        }
        #expect(client.spool.metrics.segments >= 4)
        let reader = try client.spool.makeReader(from: client.spool.oldest)
        #expect(try SpoolClient.texts(reader) == expected)
        #expect(reader.position == client.spool.durable)
    }

    /// A segment of 4096 bytes is filled up to the eight bytes of its seal, and never over them.
    @Test(arguments: [(992, 4088), (993, 4096 + 64 + 1001)])
    func leavesRoomForTheSeal(lastByteCount: Int, end: Int) throws {
        let client = try SpoolClient(MemoryFileSystem())
        for byteCount in [1000, 1000, 1000, lastByteCount] {
            #expect(try client.append([[UInt8](repeating: 0x65, count: byteCount)]) == [nil])
        }
        #expect(client.spool.durable.offset == UInt64(end))
        #expect(try client.append("next") == [nil])
        #expect(try client.texts().map(\.utf8.count) == [1000, 1000, 1000, lastByteCount, 4])
        #expect(client.spool.metrics.corruptRegions == 0)
    }

    /// Every record's end is a position from which the rest is read.
    @Test func readsOnFromEveryPosition() throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        let texts = (0..<80).map { "record \($0) " + String(repeating: "y", count: $0 * 3) }
        for text in texts { try client.append(text) }
        let reader = try client.spool.makeReader(from: SpoolPosition(offset: 0))
        for index in texts.indices {
            var one = ""
            #expect(try reader.read(recordsMax: 1, bytesMax: .max, waitMilliseconds: 0) { one = text($0) } == 1)
            #expect(one == texts[index])
            #expect(try client.texts(from: reader.position.offset) == Array(texts[(index + 1)...]))
        }
        #expect(client.spool.metrics.corruptRegions == 0)
    }

    /// A read stops at its limits, but gives one record even when it alone is larger.
    @Test func readerKeepsItsLimits() throws {
        let client = try SpoolClient(MemoryFileSystem())
        try client.append(["a", "bb", "ccc", "dddd"].map { Array($0.utf8) })
        let reader = try client.spool.makeReader(from: SpoolPosition(offset: 0))
        var seen: [String] = []
        func read(records: Int, bytes: Int) throws -> [String] {
            seen = []
            _ = try reader.read(recordsMax: records, bytesMax: bytes, waitMilliseconds: 0) { seen.append(text($0)) }
            return seen
        }
        #expect(try read(records: 0, bytes: 100) == [])
        #expect(try read(records: 1, bytes: 100) == ["a"])
        #expect(try read(records: 9, bytes: 1) == ["bb"])
        #expect(try read(records: 9, bytes: 7) == ["ccc", "dddd"])
        #expect(try read(records: 9, bytes: 7) == [])
        try reader.seek(to: SpoolPosition(offset: 0))
        #expect(try read(records: 9, bytes: 100).count == 4)
    }

    /// A reader without records waits for the next durable one, and for no longer than it was told.
    @Test func readerWaitsForTheNextRecord() async throws {
        let client = try SpoolClient(MemoryFileSystem())
        let spool = client.spool
        let empty = try spool.makeReader(from: SpoolPosition(offset: 0))
        #expect(try empty.read(recordsMax: 1, bytesMax: 1, waitMilliseconds: 1) { _ in } == 0)
        async let read = Task.detached {
            let reader = try spool.makeReader(from: SpoolPosition(offset: 0))
            var seen: [String] = []
            _ = try reader.read(recordsMax: 9, bytesMax: 100, waitMilliseconds: 10_000) { seen.append(text($0)) }
            return seen
        }.value
        #expect(await spool.append([Array("late".utf8)]) == nil)
        #expect(try await read == ["late"])
    }

    /// Calls of many tasks at once are each answered, and every record is there once, a call's records together.
    @Test func appendsFromManyTasks() async throws {
        let client = try SpoolClient(MemoryFileSystem(), SpoolClient.configuration(segmentBytes: 64 << 10))
        let spool = client.spool
        let refusals = await withTaskGroup(of: SpoolRefusal?.self, returning: [SpoolRefusal?].self) { group in
            for task in 0..<50 {
                group.addTask { await spool.append((0..<4).map { Array("\(task).\($0)".utf8) }) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.allSatisfy { $0 == nil })
        #expect(await spool.append([]) == nil)
        let texts = try client.texts()
        #expect(texts.count == 200)
        #expect(Set(texts).count == 200)
        for start in stride(from: 0, to: 200, by: 4) {
            let task = texts[start].prefix { $0 != "." }
            #expect(texts[start..<(start + 4)] == (0..<4).map { "\(task).\($0)" }[...])
        }
    }

    /// Two appenders on two threads each get their own outcomes, in their order.
    @Test func appendersDoNotMix() async throws {
        let client = try SpoolClient(MemoryFileSystem(), SpoolClient.configuration(segmentBytes: 64 << 10))
        let spool = client.spool
        await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["left", "right"] {
                group.addTask {
                    let appender = spool.makeAppender {}
                    var answered = 0
                    for number in 0..<200 {
                        appender.append(Array("\(name) \(number)".utf8).span.bytes)
                        #expect(appender.submit() == nil)
                        try waitUntil("an outcome") {
                            appender.takeResults { count, refusal in
                                #expect(refusal == nil)
                                answered += count
                            }
                            return answered == number + 1
                        }
                    }
                }
            }
        }
        let texts = try client.texts()
        for name in ["left", "right"] {
            #expect(texts.filter { $0.hasPrefix(name) } == (0..<200).map { "\(name) \($0)" })
        }
    }

    /// Submitting nothing makes no outcome; a group of many records makes one sync and one outcome.
    @Test func aGroupSharesOneSync() throws {
        let client = try SpoolClient(MemoryFileSystem(), SpoolClient.configuration(segmentBytes: 64 << 10))
        #expect(client.appender.submit() == nil)
        let before = client.spool.metrics.syncs
        for number in 0..<100 { client.appender.append(Array("\(number)".utf8).span.bytes) }
        #expect(client.appender.submit() == nil)
        var counts: [Int] = []
        try waitUntil("the outcome") {
            client.appender.takeResults { count, _ in counts.append(count) }
            return !counts.isEmpty
        }
        #expect(counts == [100])
        #expect(client.spool.metrics.syncs == before + 1)
        #expect(client.spool.metrics.recordsAppended == 100)
        try waitUntil("the wake-up") { client.wakeCount == 1 }
    }

    /// Appended bytes that exceed a group are divided; every part is answered.
    @Test func dividesAGroupThatIsTooLarge() throws {
        let client = try SpoolClient(MemoryFileSystem())
        let records = (0..<50).map { [UInt8](repeating: UInt8($0), count: 100) }
        #expect(try client.append(records).count == 50)
        #expect(try client.texts().count == 50)
    }

    /// The longest record fits, by itself and in the smallest segment.
    @Test(arguments: [4096, 1 << 20]) func takesTheLongestRecord(segmentBytes: Int) throws {
        let client = try SpoolClient(MemoryFileSystem(), SpoolClient.configuration(segmentBytes: segmentBytes))
        let record = [UInt8](repeating: 0x61, count: client.spool.recordBytesMax)
        for _ in 0..<9 { #expect(try client.append([record]) == [nil]) }
        #expect(try client.texts().map(\.utf8.count) == [Int](repeating: record.count, count: 9))
    }

    /// An empty record and one beyond the limit are errors of the program.
    @Test(arguments: [0, 1017]) func trapsOnAnImpossibleRecord(byteCount: Int) async {
        await #expect(processExitsWith: .failure) { [byteCount] in
            let client = try SpoolClient(MemoryFileSystem())
            client.appender.append([UInt8](repeating: 1, count: byteCount).span.bytes)
        }
    }

    /// After `close` all that was submitted is durable, and what comes later is refused, by either road.
    @Test func closeKeepsWhatWasSubmitted() async throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        for number in 0..<20 {
            client.appender.append(Array("\(number)".utf8).span.bytes)
            #expect(client.appender.submit() == nil)
        }
        client.spool.close()
        client.spool.close()
        #expect(try client.outcomes(20).allSatisfy { $0 == nil })
        #expect(client.spool.refusal == .closed)
        #expect(try client.append("late") == [.closed])
        #expect(await client.spool.append([[1]]) == .closed)
        #expect(client.spool.metrics.recordsRefused == [.closed: 2])
        #expect(try SpoolClient(files.afterPowerCut(seed: 1)).texts() == (0..<20).map(String.init))
    }
}
