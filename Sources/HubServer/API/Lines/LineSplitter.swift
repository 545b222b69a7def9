import Glibc

/// Cuts a stream of chunks into lines, in memory bounded by one line. A line beyond the limit is reported once and dropped
/// to its end.
package struct LineSplitter: Sendable {
    /// What a line of an NDJSON request may have.
    package static let lineBytesMax = 64 << 10

    private let bytesMax: Int

    package enum Line: Equatable, Sendable {
        /// These bytes of the chunk.
        case inChunk(Range<Int>)
        /// The bytes of `joined`: the line began in an earlier chunk.
        case joined
        case tooLong
    }

    /// The beginning of a line whose end has not come yet; after `.joined`, that whole line until the next call.
    package private(set) var joined: [UInt8] = []
    private var isDropping = false
    private var joinedIsTaken = false

    package init(bytesMax: Int = Self.lineBytesMax) { self.bytesMax = bytesMax }

    /// The next whole line of `chunk` at or after `offset`, which moves past it; nil when the chunk holds no further one.
    package mutating func next(in chunk: [UInt8], at offset: inout Int) -> Line? {
        self.forgetTaken()
        while offset < chunk.count {
            let start = offset
            guard let end = Self.lineFeed(in: chunk, from: start) else {
                offset = chunk.count
                return self.keep(chunk[start...])
            }
            offset = end + 1
            if self.isDropping {
                self.isDropping = false
                continue
            }
            guard self.joined.count + end - start <= self.bytesMax else {
                self.joined.removeAll(keepingCapacity: true)
                return .tooLong
            }
            if self.joined.isEmpty { return .inChunk(start..<end) }
            self.joined.append(contentsOf: chunk[start..<end])
            self.joinedIsTaken = true
            return .joined
        }
        return nil
    }

    /// The last line, when the stream ended without a line feed.
    package mutating func finish() -> Line? {
        self.forgetTaken()
        guard !self.joined.isEmpty else { return nil }
        self.joinedIsTaken = true
        return .joined
    }

    private mutating func keep(_ rest: ArraySlice<UInt8>) -> Line? {
        if self.isDropping { return nil }
        guard self.joined.count + rest.count <= self.bytesMax else {
            self.joined.removeAll(keepingCapacity: true)
            self.isDropping = true
            return .tooLong
        }
        self.joined.append(contentsOf: rest)
        return nil
    }

    private mutating func forgetTaken() {
        guard self.joinedIsTaken else { return }
        self.joined.removeAll(keepingCapacity: true)
        self.joinedIsTaken = false
    }

    private static func lineFeed(in chunk: [UInt8], from start: Int) -> Int? {
        chunk.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }
}
