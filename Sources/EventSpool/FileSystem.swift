import Glibc

/// A system call that failed.
package struct SystemCallError: Error, Sendable, CustomStringConvertible {
    /// The call and what it was applied to.
    package var call: String
    package var errno: Int32

    package init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }
}

/// The calls that the spool makes, so that tests can fail each of them, or cut the power, at any time.
///
/// Directories are named by path, open files by the number that `open` gave. Nothing here is called with a lock held.
package protocol FileSystem: Sendable {
    /// Makes the directory, for its owner only; false when it exists already.
    func makeDirectory(_ path: String) throws(SystemCallError) -> Bool
    func fileNames(in directory: String) throws(SystemCallError) -> [String]
    /// Makes changes of names in the directory durable.
    func syncDirectory(_ path: String) throws(SystemCallError)
    func rename(_ path: String, to newPath: String) throws(SystemCallError)
    func unlink(_ path: String) throws(SystemCallError)

    /// Opens for reading and writing; `create` makes the file, or empties it where it exists.
    func open(_ path: String, create: Bool) throws(SystemCallError) -> Int32
    func close(_ file: Int32)
    /// An advisory lock on the whole file, gone with the last copy of the descriptor; false when another holds it.
    func lock(_ file: Int32) throws(SystemCallError) -> Bool
    func byteCount(_ file: Int32) throws(SystemCallError) -> UInt64
    /// May read less than asked; 0 at the end of the file.
    func read(_ file: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer)
        throws(SystemCallError) -> Int
    /// Writes the pieces one behind the other; may write less than asked.
    func write(_ file: Int32, at offset: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws(SystemCallError) -> Int
    /// fdatasync: the content and the size are durable, other metadata may not be. Never tried twice, not even after EINTR.
    func syncData(_ file: Int32) throws(SystemCallError)
}

extension FileSystem {
    /// Writes all of the pieces, however short single writes turn out.
    func writeFully(_ file: Int32, at offset: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws(SystemCallError) {
        var written = try self.write(file, at: offset, pieces)
        var total = 0
        for piece in pieces { total += piece.count }
        while written < total {
            var skip = written
            var rest: [UnsafeRawBufferPointer] = []
            for piece in pieces {
                if skip < piece.count { rest.append(.init(rebasing: piece[skip...])) }
                skip = max(0, skip - piece.count)
            }
            let count = try self.write(file, at: offset + UInt64(written), rest)
            guard count > 0 else { throw SystemCallError(call: "pwritev without progress", errno: EIO) }
            written += count
        }
    }

    /// Writes zeros over the range.
    func writeZeros(_ file: Int32, _ range: Range<UInt64>) throws(SystemCallError) {
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(UInt64(zeros.count), range.upperBound - offset))
            try self.writeFully(file, at: offset, [.init(rebasing: zeros[..<count])])
            offset += UInt64(count)
        }
    }
}
