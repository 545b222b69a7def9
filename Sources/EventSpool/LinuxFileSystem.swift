import Glibc

/// The kernel's calls, begun again after EINTR where that is harmless.
struct LinuxFileSystem: FileSystem {
    func makeDirectory(_ path: String) throws(SystemCallError) -> Bool {
        guard mkdir(path, 0o700) != 0 else { return true }
        let code = errno
        guard code != EEXIST else { return false }
        throw SystemCallError(call: "mkdir \(path)", errno: code)
    }

    func fileNames(in directory: String) throws(SystemCallError) -> [String] {
        guard let stream = opendir(directory) else {
            throw SystemCallError(call: "opendir \(directory)", errno: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                let code = errno
                guard code == 0 else { throw SystemCallError(call: "readdir \(directory)", errno: code) }
                return names
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
    }

    func syncDirectory(_ path: String) throws(SystemCallError) {
        let directory = try Self.retried("open \(path)") { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { _ = Glibc.close(directory) }
        _ = try Self.retried("fsync \(path)") { fsync(directory) }
    }

    func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        _ = try Self.retried("rename \(path)") { Glibc.rename(path, newPath) }
    }

    func unlink(_ path: String) throws(SystemCallError) {
        _ = try Self.retried("unlink \(path)") { Glibc.unlink(path) }
    }

    func open(_ path: String, create: Bool) throws(SystemCallError) -> Int32 {
        let flags = O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_TRUNC : 0)
        return try Self.retried("open \(path)") { Glibc.open(path, flags, 0o600) }
    }

    func close(_ file: Int32) {
        // What was to last is synced before; nothing hangs on the result.
        _ = Glibc.close(file)
    }

    func lock(_ file: Int32) throws(SystemCallError) -> Bool {
        do {
            _ = try Self.retried("flock") { flock(file, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            guard error.errno == EWOULDBLOCK else { throw error }
            return false
        }
    }

    func byteCount(_ file: Int32) throws(SystemCallError) -> UInt64 {
        var status = stat()
        _ = try Self.retried("fstat") { fstat(file, &status) }
        return UInt64(status.st_size)
    }

    func read(_ file: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer)
        throws(SystemCallError) -> Int
    {
        try Self.retried("pread") { pread(file, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    func write(_ file: Int32, at offset: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws(SystemCallError) -> Int {
        if pieces.count == 1 {
            return try Self.retried("pwrite") { pwrite(file, pieces[0].baseAddress, pieces[0].count, off_t(offset)) }
        }
        let count = min(pieces.count, Self.piecesMax)
        return try withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) {
            vectors throws(SystemCallError) in
            for index in 0..<count {
                vectors[index] = iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: pieces[index].baseAddress), iov_len: pieces[index].count
                )
            }
            return try Self.retried("pwritev") { pwritev(file, vectors.baseAddress, Int32(count), off_t(offset)) }
        }
    }

    func syncData(_ file: Int32) throws(SystemCallError) {
        guard fdatasync(file) != 0 else { return }
        throw SystemCallError(call: "fdatasync", errno: errno)
    }

    /// IOV_MAX of Linux.
    private static let piecesMax = 1024

    @inline(__always)
    private static func retried<Status: SignedInteger>(
        _ call: @autoclosure () -> String, _ body: () -> Status
    ) throws(SystemCallError) -> Status {
        while true {
            let status = body()
            if status >= 0 { return status }
            let code = errno
            if code != EINTR { throw SystemCallError(call: call(), errno: code) }
        }
    }
}

extension SystemCallError {
    package var description: String {
        "\(self.call): \(String(cString: strerror(self.errno))) (errno \(self.errno))"
    }

    /// No room on the disk or in the quota: it may come back.
    var isNoRoom: Bool { self.errno == ENOSPC || self.errno == EDQUOT }
}
