import EventSpool
import TestSupport
import Testing

@Suite(.blocking)
struct SpoolRecoveryTests {
    private static let first = "0000000000000000.seg"

    /// A disk with ten records of 100 bytes in one segment: frames of 108 bytes from 64 on.
    private static func tenRecords() throws -> MemoryFileSystem {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        for number in 0..<10 { try client.append(Self.text(number)) }
        client.spool.close()
        return files.afterKill()
    }

    private static func text(_ number: Int) -> String {
        let digits = "\(number)"
        return digits + String(repeating: "r", count: 100 - digits.utf8.count)
    }

    private static func texts(_ numbers: some Sequence<Int>) -> [String] { numbers.map(Self.text) }

    /// A last record that is cut at any byte goes; those before it stay; the tail is zeros again and is used again.
    @Test func cutsATornTail() throws {
        for keep in 0..<108 {
            let files = try Self.tenRecords()
            files.damage(Self.first, at: 64 + 9 * 108 + keep, [UInt8](repeating: 0, count: 108 - keep))
            let client = try SpoolClient(files)
            #expect(try client.texts() == Self.texts(0..<9), "kept \(keep) bytes")
            #expect(client.spool.metrics.tornTailsRepaired == (keep == 0 ? 0 : 1))
            #expect(client.spool.metrics.corruptRegions == 0)
            #expect(files.content(Self.first)![(64 + 9 * 108)...].allSatisfy { $0 == 0 })
            #expect(try client.append("again") == [nil])
            #expect(try client.texts() == Self.texts(0..<9) + ["again"])
        }
    }

    /// Random bytes behind the last record are cut, however many there are.
    @Test func cutsGarbage() throws {
        var random = SeededRandom(seed: 6)
        for count in [1, 7, 8, 9, 500, 4096 - 64 - 1080] {
            let files = try Self.tenRecords()
            files.damage(Self.first, at: 64 + 1080, (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) })
            let client = try SpoolClient(files)
            #expect(try client.texts() == Self.texts(0..<10))
            #expect(client.spool.metrics.tornTailsRepaired == 1)
            #expect(client.spool.durable.offset == 64 + 1080)
        }
    }

    /// Any flipped bit costs the record it is in and no other, is counted once, and is logged with its position.
    @Test func stepsOverAFlippedBit() throws {
        for bit in stride(from: 0, to: 108 * 8, by: 7) {
            let files = try Self.tenRecords()
            let offset = 64 + 4 * 108 + bit / 8
            files.damage(Self.first, at: offset, [files.content(Self.first)![offset] ^ (1 << UInt8(bit % 8))])
            let client = try SpoolClient(files)
            #expect(try client.texts() == Self.texts([0, 1, 2, 3, 5, 6, 7, 8, 9]), "bit \(bit)")
            #expect(try client.texts() == Self.texts([0, 1, 2, 3, 5, 6, 7, 8, 9]))
            #expect(client.spool.metrics.corruptRegions == 1)
            #expect(client.spool.metrics.tornTailsRepaired == 0)
            #expect(client.log.count(containing: "108 damaged bytes skipped at position 496") == 1)
        }
    }

    /// Lost pages, all zeros, are damage like any other: what lies behind them is read.
    @Test func stepsOverZeros() throws {
        let files = try Self.tenRecords()
        files.damage(Self.first, at: 64 + 3 * 108 + 50, [UInt8](repeating: 0, count: 200))
        let client = try SpoolClient(files)
        #expect(try client.texts() == Self.texts([0, 1, 2, 6, 7, 8, 9]))
        #expect(client.spool.metrics.corruptRegions == 1)
    }

    /// A record that was copied to another place, in its own or another spool's segment, does not pass for one.
    @Test func refusesAMovedRecord() throws {
        let files = try Self.tenRecords()
        let content = files.content(Self.first)!
        files.damage(Self.first, at: 64 + 1080, Array(content[64..<(64 + 1080)]))
        let client = try SpoolClient(files)
        #expect(try client.texts() == Self.texts(0..<10))
        #expect(client.spool.metrics.tornTailsRepaired == 1)
    }

    /// Damage in a segment that is not the last one, also of its header and its seal, costs only what it hits.
    @Test(arguments: [0, 20, 70, 4000, 4090]) func stepsOverDamageInASealedSegment(offset: Int) throws {
        let files = MemoryFileSystem()
        var client = try SpoolClient(files)
        for number in 0..<100 { try client.append(Self.text(number)) }
        client.spool.close()
        let disk = files.afterKill()
        disk.damage(Self.first, at: offset, [0xA5, 0xA5, 0xA5])
        client = try SpoolClient(disk)
        let texts = try client.texts()
        #expect(Set(Self.texts(0..<100)).isSuperset(of: texts))
        #expect(texts.count >= 99)
        #expect(texts == texts.sorted { Int($0.prefix { $0 != "r" })! < Int($1.prefix { $0 != "r" })! })
        #expect(client.spool.metrics.corruptRegions <= 1)
        #expect(try client.append("after") == [nil])
        #expect(try client.texts().last == "after")
    }

    /// A segment that is missing in the middle is counted, and the rest is read.
    @Test func stepsOverAMissingSegment() throws {
        let files = MemoryFileSystem()
        var client = try SpoolClient(files)
        for number in 0..<120 { try client.append(Self.text(number)) }
        client.spool.close()
        let disk = files.afterKill()
        disk.remove("0000000000001000.seg")
        client = try SpoolClient(disk)
        let texts = try client.texts()
        #expect(texts.count > 60 && texts.count < 120)
        #expect(texts.last == Self.text(119))
        #expect(client.spool.metrics.corruptRegions == 1)
        #expect(client.log.count(containing: "a segment file is missing") == 1)
    }

    /// Segments that were being made when the process died go; finished but unused ones are used.
    @Test func cleansUpUnfinishedSegments() throws {
        let files = try Self.tenRecords()
        files.replace("0000000000001000.new", [UInt8](repeating: 0, count: 1000))
        files.replace("identity.new", [1, 2, 3])
        files.replace("notes.txt", [1, 2, 3])
        let client = try SpoolClient(files)
        #expect(try client.texts() == Self.texts(0..<10))
        #expect(files.names == [Self.first, "identity", "lock", "notes.txt"])
    }

    /// What a killed process had written but not synced is made durable before it counts as durable.
    @Test func whatIsFoundIsMadeDurable() throws {
        let files = MemoryFileSystem()
        let client = try SpoolClient(files)
        try client.append("one")
        files.setFailure { call, _, _ in call == .syncData ? 5 : nil }
        #expect(try client.append("two") == [.failed])
        let after = files.afterKill()
        let second = try SpoolClient(after)
        #expect(try second.texts() == ["one", "two"])
        #expect(after.count(.write) >= 1 && after.count(.syncData) >= 1)
        #expect(try SpoolClient(after.afterPowerCut(seed: 5)).texts() == ["one", "two"])
    }

    /// Without its identity a directory that holds records is refused; a damaged one is refused too.
    @Test func refusesALostIdentity() throws {
        let files = try Self.tenRecords()
        files.replace("identity", Array("nonsense".utf8))
        #expect(#expect(throws: SpoolError.self) { try SpoolClient(files) }?.code == .identityLost)
        files.remove("identity")
        #expect(#expect(throws: SpoolError.self) { try SpoolClient(files) }?.code == .identityLost)
    }

    /// A segment of a newer format is refused by name; nothing in the directory is changed.
    @Test func refusesANewerFormat() throws {
        let files = try Self.tenRecords()
        var header = Array(files.content(Self.first)![..<64])
        header[8] = 2
        let sum = header.withUnsafeBytes { castagnoli($0[..<60]) }
        header.replaceSubrange(60..., with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) })
        files.damage(Self.first, at: 0, header)
        let content = files.content(Self.first)
        let error = #expect(throws: SpoolError.self) { try SpoolClient(files) }
        #expect(error?.code == .versionUnknown)
        #expect(error?.description.contains("version 2") == true)
        #expect(files.content(Self.first) == content)
    }

    /// A larger or smaller segment size in the configuration takes effect with the next segment.
    @Test(arguments: [(4096, 1 << 20), (1 << 20, 4096)]) func changesTheSegmentSize(from: Int, to: Int) throws {
        let files = MemoryFileSystem()
        let first = try SpoolClient(files, SpoolClient.configuration(segmentBytes: from))
        for number in 0..<50 { try first.append(Self.text(number)) }
        first.spool.close()
        let second = try SpoolClient(files.afterKill(), SpoolClient.configuration(segmentBytes: to))
        let longest = [UInt8](repeating: 0x63, count: second.spool.recordBytesMax)
        for _ in 0..<30 { #expect(try second.append([longest]) == [nil]) }
        let texts = try second.texts()
        #expect(texts.count == 80)
        #expect(texts[..<50] == Self.texts(0..<50)[...])
    }

    /// CRC-32C bit by bit, independent of the module's.
    private func castagnoli(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
        return ~sum
    }
}
