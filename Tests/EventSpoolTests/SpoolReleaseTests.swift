import EventSpool
import TestSupport
import Testing

@Suite(.blocking)
struct SpoolReleaseTests {
    private static func filled(_ files: MemoryFileSystem, records: Int) throws -> SpoolClient {
        let client = try SpoolClient(files)
        for number in 0..<records { try client.append("\(number) " + String(repeating: "z", count: 200)) }
        return client
    }

    /// Segments wholly before the position go from the disk; the rest is read as before.
    @Test func removesWholeSegments() throws {
        let files = MemoryFileSystem()
        let client = try Self.filled(files, records: 60)
        let reader = try client.spool.makeReader(from: SpoolPosition(offset: 0))
        _ = try reader.read(recordsMax: 40, bytesMax: .max, waitMilliseconds: 0) { _ in }
        let filesBefore = files.names.count
        client.spool.release(upTo: reader.position)
        #expect(client.spool.oldest > SpoolPosition(offset: 0))
        #expect(client.spool.oldest <= reader.position)
        try waitUntil("removal") { files.names.count < filesBefore - 1 }
        #expect(client.spool.metrics.bytesHeld == client.spool.durable.offset - reader.position.offset)
        #expect(try SpoolClient.texts(reader).first?.hasPrefix("40 ") == true)
    }

    /// Releasing everything, or more, holds nothing and keeps the segment in use; a position never goes back.
    @Test func releasesEverything() throws {
        let client = try Self.filled(MemoryFileSystem(), records: 60)
        client.spool.release(upTo: SpoolPosition(offset: .max))
        client.spool.release(upTo: SpoolPosition(offset: 0))
        #expect(client.spool.metrics.bytesHeld == 0)
        try client.append("after")
        #expect(try client.texts(from: client.spool.oldest.offset).last == "after")
    }

    /// A reader that is overtaken by a release goes on at the oldest, and the gap is counted and logged.
    @Test func readerSurvivesARelease() throws {
        let files = MemoryFileSystem()
        let client = try Self.filled(files, records: 60)
        let reader = try client.spool.makeReader(from: SpoolPosition(offset: 0))
        _ = try reader.read(recordsMax: 1, bytesMax: .max, waitMilliseconds: 0) { _ in }
        client.spool.release(upTo: client.spool.durable)
        // Its open segment still serves it, though the file's name is gone.
        let rest = try SpoolClient.texts(reader)
        #expect(rest.first?.hasPrefix("1 ") == true)
        #expect(rest.last?.hasPrefix("59 ") == true)
        #expect(reader.position == client.spool.durable)
        #expect(client.spool.metrics.readGaps == 1)
        #expect(client.log.count(containing: "were released before") == 1)
    }

    /// A reader for a position that is gone starts at the oldest, counted.
    @Test func startsAtTheOldest() throws {
        let client = try Self.filled(MemoryFileSystem(), records: 60)
        client.spool.release(upTo: client.spool.durable)
        let reader = try client.spool.makeReader(from: SpoolPosition(offset: 0))
        #expect(reader.position == client.spool.oldest)
        #expect(client.spool.metrics.readGaps == 1)
    }

    /// A position that the spool never reached is an error: the directory is an old copy.
    @Test func refusesAPositionAhead() throws {
        let client = try Self.filled(MemoryFileSystem(), records: 3)
        let ahead = SpoolPosition(offset: client.spool.durable.offset + 1)
        let error = #expect(throws: SpoolError.self) { try client.spool.makeReader(from: ahead) }
        #expect(error?.code == .positionAhead)
    }

    /// At `bytesMax` appends are refused until something is released, and the refusal shows.
    @Test func isFullUntilARelease() throws {
        var configuration = SpoolClient.configuration()
        configuration.bytesMax = 8 << 10
        let client = try SpoolClient(MemoryFileSystem(), configuration)
        let record = [UInt8](repeating: 0x62, count: 500)
        var accepted = 0
        while try client.append([record]) == [nil] { accepted += 1 }
        #expect(accepted > 10 && accepted < 17)
        #expect(client.spool.refusal == .full)
        #expect(client.spool.metrics.recordsRefused == [.full: 1])
        #expect(client.spool.metrics.bytesHeld <= configuration.bytesMax)
        #expect(try client.append([record]) == [.full])
        client.spool.release(upTo: client.spool.durable)
        #expect(client.spool.refusal == nil)
        #expect(try client.append([record]) == [nil])
    }

    /// A released segment that can't be removed is tried again.
    @Test func triesRemovalAgain() throws {
        let files = MemoryFileSystem()
        let client = try Self.filled(files, records: 60)
        files.setFailure { call, _, number in call == .unlink && number < 4 ? 5 : nil }
        let before = client.spool.metrics.segments
        client.spool.release(upTo: client.spool.durable)
        try waitUntil("removal") { client.spool.metrics.segments < before && files.names.count < 6 }
        #expect(client.log.count(containing: "can't be removed") >= 1)
    }
}
