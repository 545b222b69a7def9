import Glibc

/// Walks the frames of one segment, for readers and for recovery. Owned by one thread.
final class SegmentCursor {
    enum Step {
        /// The payload, valid until the next call.
        case record(UnsafeRawBufferPointer)
        /// The segment's last frame.
        case sealed
        /// Zero fill, or the limit.
        case end
        /// No frame here although there should be one, or bytes that are none.
        case damaged
    }

    let segment: Segment
    /// Where the next frame starts.
    private(set) var position: UInt64
    /// Nothing at or beyond this is read.
    var limit: UInt64 {
        didSet { if self.limit != oldValue { self.windowCount = 0 } }
    }

    private let files: any FileSystem
    private let file: Int32
    private let window: UnsafeMutableRawBufferPointer
    private var windowStart: UInt64 = 0
    private var windowCount = 0

    private static let windowBytes = 512 << 10
    private static let pageBytes = 4096

    /// Takes over `file` and closes it.
    init(_ segment: Segment, file: Int32, files: any FileSystem, position: UInt64, limit: UInt64) {
        self.segment = segment
        self.file = file
        self.files = files
        self.position = max(position, segment.firstRecord)
        self.limit = limit
        self.window = .allocate(byteCount: Self.windowBytes, alignment: Self.pageBytes)
    }

    deinit {
        self.window.deallocate()
        self.files.close(self.file)
    }

    func move(to position: UInt64) { self.position = max(position, self.segment.firstRecord) }

    /// Reads the frame at `position` and goes behind it; stays at `end` and `damaged`.
    func next() -> Step {
        switch self.frame(at: self.position) {
        case .record(let payload):
            self.position += UInt64(Frame.headerBytes + payload.count)
            return .record(payload)
        case .sealed:
            self.position += UInt64(Frame.headerBytes)
            return .sealed
        case let step: return step
        }
    }

    private func frame(at position: UInt64) -> Step {
        guard position + UInt64(Frame.headerBytes) <= self.limit else { return .end }
        let header = self.bytes(at: position, count: Frame.headerBytes)
        let field = UInt32(littleEndian: header.loadUnaligned(as: UInt32.self))
        let expected = UInt32(littleEndian: header.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        if field == 0 { return expected == 0 ? .end : .damaged }
        let isSeal = field == Frame.sealMark
        let length = isSeal ? 0 : Int(field)
        guard length <= Frame.payloadBytesMax, position + UInt64(Frame.headerBytes + length) <= self.limit else {
            return .damaged
        }
        let frame = self.bytes(at: position, count: Frame.headerBytes + length)
        let payload = UnsafeRawBufferPointer(rebasing: frame[Frame.headerBytes...])
        let checksum = Frame.checksum(Frame.checksum(payload, lengthField: field), at: position)
        guard checksum == expected else { return .damaged }
        return isSeal ? .sealed : .record(payload)
    }

    /// Goes from a place without a frame to the next one with one, and returns where that is; nil, and the place is kept,
    /// when there is none up to the limit. Since each checksum covers its position, no bytes pass for a frame by accident
    /// except one in 2^32 that also have a plausible length.
    func resynchronize() -> UInt64? {
        var candidate = self.position + 1
        while candidate + UInt64(Frame.headerBytes) <= self.limit {
            let rest = Int(min(self.limit - candidate, UInt64(Self.pageBytes)))
            let bytes = self.bytes(at: candidate, count: rest)
            if Self.isZero(bytes) {
                // A length field may begin with up to three zero bytes.
                candidate += UInt64(max(1, rest - 3))
                continue
            }
            var offset = 0
            while offset + Frame.headerBytes <= rest {
                let field = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                if field != 0 && (field <= UInt32(Frame.payloadBytesMax) || field == Frame.sealMark) { break }
                offset += 1
            }
            candidate += UInt64(offset)
            guard offset + Frame.headerBytes <= rest else { continue }
            switch self.frame(at: candidate) {
            case .record, .sealed:
                self.position = candidate
                return candidate
            case .end, .damaged: candidate += 1
            }
        }
        return nil
    }

    /// The end of the last byte that is not zero at or behind `position`; `position` when all are.
    func endOfGarbage() -> UInt64 {
        var end = self.position
        var place = self.position
        while place < self.limit {
            let bytes = self.bytes(at: place, count: Int(min(self.limit - place, UInt64(Self.pageBytes))))
            place += UInt64(bytes.count)
            if !Self.isZero(bytes) { end = place }
        }
        return end
    }

    static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
        return memcmp(base, base + 1, bytes.count - 1) == 0
    }

    /// Bytes of the window, which is moved when it does not hold them. Beyond the end of the file there are zeros.
    private func bytes(at position: UInt64, count: Int) -> UnsafeRawBufferPointer {
        if position < self.windowStart || position + UInt64(count) > self.windowStart + UInt64(self.windowCount) {
            self.windowStart = position
            self.windowCount = Int(min(UInt64(self.window.count), self.limit - position))
            self.fill(UnsafeMutableRawBufferPointer(rebasing: self.window[..<self.windowCount]))
        }
        let offset = Int(position - self.windowStart)
        return UnsafeRawBufferPointer(rebasing: self.window[offset..<(offset + count)])
    }

    /// A page that can't be read counts as zeros, so that a bad sector costs the records in it and not those behind it.
    private func fill(_ target: UnsafeMutableRawBufferPointer) {
        let start = self.windowStart - self.segment.base
        if self.readFully(target, at: start) { return }
        var offset = 0
        while offset < target.count {
            let toPageEnd = Self.pageBytes - Int((start + UInt64(offset)) % UInt64(Self.pageBytes))
            let piece = UnsafeMutableRawBufferPointer(
                rebasing: target[offset..<min(target.count, offset + toPageEnd)])
            if !self.readFully(piece, at: start + UInt64(offset)) {
                piece.initializeMemory(as: UInt8.self, repeating: 0)
            }
            offset += piece.count
        }
    }

    private func readFully(_ target: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Bool {
        var done = 0
        while done < target.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
            guard let count = try? self.files.read(self.file, at: offset + UInt64(done), into: rest) else {
                return false
            }
            if count == 0 {
                rest.initializeMemory(as: UInt8.self, repeating: 0)
                return true
            }
            done += count
        }
        return true
    }
}
