import Glibc

/// Opens a directory: lock, identity, segments, and where the log ends.
///
/// The rule is that no valid record is ever cut. A batch is written only when the one before it is durable, so a crash
/// leaves at most one unfinished batch, at the end. Behind the last valid frame everything is made zeros again; damage
/// before it is counted and stepped over.
struct SpoolRecovery {
    struct Result {
        var lock: Int32
        var identity: UInt128
        var segments: [Segment]
        var active: Int
        var activeFile: Int32
        /// The end of the last record.
        var recordsEnd: UInt64
        /// Where the next frame goes.
        var tail: UInt64
        var isSealed: Bool
        var tornTails: UInt64
        var damage: [(region: Range<UInt64>, segment: Segment?)]
    }

    private let folder: SpoolFolder
    private let configuration: SpoolConfiguration
    private let log: @Sendable (String) -> Void
    private var tornTails: UInt64 = 0
    private var damage: [(region: Range<UInt64>, segment: Segment?)] = []

    private var files: any FileSystem { self.folder.files }

    init(folder: SpoolFolder, configuration: SpoolConfiguration, log: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.configuration = configuration
        self.log = log
    }

    mutating func run() throws(SpoolError) -> Result {
        do {
            if try self.files.makeDirectory(self.folder.path) {
                try self.files.syncDirectory(Self.parent(of: self.folder.path))
            }
            let lock = try self.takeLock()
            do {
                return try self.recover(holding: lock)
            } catch {
                self.files.close(lock)
                throw error
            }
        } catch let failure as SystemCallError {
            throw SpoolError(failure)
        } catch let error as SpoolError {
            throw error
        } catch {
            fatalError("no other error is thrown: \(error)")
        }
    }

    private mutating func recover(holding lock: Int32) throws -> Result {
        let names = try self.files.fileNames(in: self.folder.path)
        for name in names where name.hasSuffix(Segment.unfinishedSuffix) {
            try self.files.unlink(self.folder.path(of: name))
        }
        var segments = try self.readSegments(names)
        let identity = try self.readIdentity(
            mayBeNew: segments.isEmpty, exists: names.contains(SpoolFolder.identityName))
        if segments.isEmpty {
            let first = Segment(base: 0, byteCount: self.configuration.segmentBytes(after: 0))
            try self.folder.create(first)
            segments = [first]
        }
        var end = try self.findEnd(segments)
        let recordsEnd = end.recordsEnd
        let hasNext = end.index + 1 < segments.count
        if end.isSealed && hasNext {
            // A crash came between the seal and the first record behind it.
            end = End(
                index: end.index + 1, position: segments[end.index + 1].firstRecord, isSealed: false,
                recordsEnd: recordsEnd)
        }
        try self.clearTail(segments[end.index], from: end.position, unless: end.isSealed)
        return Result(
            lock: lock, identity: identity, segments: segments, active: end.index,
            activeFile: try self.folder.open(segments[end.index]), recordsEnd: recordsEnd, tail: end.position,
            isSealed: end.isSealed,
            tornTails: self.tornTails, damage: self.damage)
    }

    private func takeLock() throws -> Int32 {
        let path = self.folder.path(of: SpoolFolder.lockName)
        let lock = try self.files.open(path, create: true)
        guard try self.files.lock(lock) else {
            self.files.close(lock)
            throw SpoolError(.inUse, "the spool \(self.folder.path) is in use by another process")
        }
        return lock
    }

    // MARK: Identity

    private func readIdentity(mayBeNew: Bool, exists: Bool) throws -> UInt128 {
        if exists {
            let file = try self.files.open(self.folder.path(of: SpoolFolder.identityName), create: false)
            defer { self.files.close(file) }
            let text = try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
                let count = try self.files.read(file, at: 0, into: buffer)
                return String(decoding: buffer[..<count], as: UTF8.self)
            }
            if let identity = SpoolIdentity.parse(text) { return identity }
            throw SpoolError(.identityLost, "the file \(SpoolFolder.identityName) in \(self.folder.path) is damaged")
        }
        guard mayBeNew else {
            throw SpoolError(
                .identityLost,
                "\(self.folder.path) holds segments but no file \(SpoolFolder.identityName): restore it, or move the segments away"
            )
        }
        let identity = SpoolIdentity.random()
        let unfinished = self.folder.path(of: SpoolFolder.unfinishedIdentityName)
        let file = try self.files.open(unfinished, create: true)
        defer { self.files.close(file) }
        try self.folder.write(Array((SpoolIdentity.text(identity) + "\n").utf8), to: file, at: 0)
        try self.files.syncData(file)
        try self.files.rename(unfinished, to: self.folder.path(of: SpoolFolder.identityName))
        try self.files.syncDirectory(self.folder.path)
        return identity
    }

    // MARK: Segments

    /// Reads the headers. A damaged one is counted; its records are still good, for the name and the size say where they
    /// are.
    private mutating func readSegments(_ names: [String]) throws -> [Segment] {
        let bases = names.compactMap(Segment.base(ofFileName:)).sorted()
        var segments: [Segment] = []
        for (index, base) in bases.enumerated() {
            var segment = try self.readSegment(base: base)
            if index + 1 < bases.count, segment.end > bases[index + 1] {
                segment = Segment(base: base, byteCount: bases[index + 1] - base)
            }
            if let last = segments.last, last.end < base { self.damage.append((last.end..<base, nil)) }
            segments.append(segment)
        }
        return segments
    }

    private mutating func readSegment(base: UInt64) throws -> Segment {
        let named = Segment(base: base, byteCount: UInt64(Segment.headerBytes))
        let file = try self.folder.open(named)
        defer { self.files.close(file) }
        let content = withUnsafeTemporaryAllocation(byteCount: Segment.headerBytes, alignment: 8) { buffer in
            guard let count = try? self.files.read(file, at: 0, into: buffer) else {
                return SegmentHeader.Content.damaged
            }
            return SegmentHeader.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), base: base)
        }
        switch content {
        case .segment(let byteCount): return Segment(base: base, byteCount: byteCount)
        case .unknownVersion(let version):
            throw SpoolError(
                .versionUnknown,
                "\(named.fileName) in \(self.folder.path) has format version \(version); this program knows \(SegmentHeader.version)"
            )
        case .damaged:
            self.damage.append((base..<(base + UInt64(Segment.headerBytes)), named))
            let byteCount = max(try self.files.byteCount(file), UInt64(SpoolConfiguration.segmentBytesMin))
            return Segment(base: base, byteCount: byteCount)
        }
    }

    // MARK: The end of the log

    private struct End {
        var index: Int
        var position: UInt64
        var isSealed: Bool
        var recordsEnd: UInt64
    }

    /// The end of the last valid frame. Segments without any frame at the end of the list are prepared ones.
    private mutating func findEnd(_ segments: [Segment]) throws -> End {
        for index in segments.indices.reversed() {
            let segment = segments[index]
            let cursor = SegmentCursor(
                segment, file: try self.folder.open(segment), files: self.files, position: segment.base,
                limit: segment.end)
            guard let (position, isSealed) = self.lastFrame(cursor) else { continue }
            try self.makeDurable(segment, upTo: position)
            return End(
                index: index, position: position, isSealed: isSealed,
                recordsEnd: isSealed ? position - UInt64(Frame.headerBytes) : position)
        }
        return End(
            index: 0, position: segments[0].firstRecord, isSealed: false, recordsEnd: segments[0].base)
    }

    /// Where the last valid frame ends, and whether it is the seal; nil when there is none.
    private mutating func lastFrame(_ cursor: SegmentCursor) -> (UInt64, isSealed: Bool)? {
        var last: UInt64?
        while true {
            switch cursor.next() {
            case .record: last = cursor.position
            case .sealed: return (cursor.position, true)
            case .end, .damaged:
                let from = cursor.position
                guard let to = cursor.resynchronize() else { return last.map { ($0, false) } }
                self.damage.append((from..<to, cursor.segment))
            }
        }
    }

    /// Records that are found may be in the page cache only: the process died before its sync, or the sync failed and left
    /// the pages marked clean. So what can belong to the last batch is written once more, with the same bytes, and synced.
    private func makeDurable(_ segment: Segment, upTo end: UInt64) throws {
        let file = try self.folder.open(segment)
        defer { self.files.close(file) }
        let batch = UInt64(SpoolConfiguration.batchBytesMax + Frame.headerBytes)
        var offset = max(segment.firstRecord, end - min(end, batch)) - segment.base
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        while offset < end - segment.base {
            let piece = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<Int(min(UInt64(buffer.count), end - segment.base - offset))])
            let count = try self.files.read(file, at: offset, into: piece)
            guard count > 0 else { break }
            try self.files.writeFully(file, at: offset, [UnsafeRawBufferPointer(rebasing: piece[..<count])])
            offset += UInt64(count)
        }
        try self.files.syncData(file)
    }

    /// Makes what lies behind the last valid frame zeros again, as if the segment had just been prepared.
    private mutating func clearTail(_ segment: Segment, from position: UInt64, unless isSealed: Bool) throws {
        guard !isSealed else { return }
        let cursor = SegmentCursor(
            segment, file: try self.folder.open(segment), files: self.files, position: position, limit: segment.end)
        let garbageEnd = cursor.endOfGarbage()
        guard garbageEnd > position else { return }
        let file = try self.folder.open(segment)
        defer { self.files.close(file) }
        try self.files.writeZeros(file, (position - segment.base)..<(garbageEnd - segment.base))
        try self.files.syncData(file)
        self.tornTails += 1
        self.log(
            "spool: an unfinished write of up to \(garbageEnd - position) bytes was cut at position \(position) in \(segment.fileName)"
        )
    }

    private static func parent(of path: String) -> String {
        let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
