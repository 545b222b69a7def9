import Glibc

// The ring's file: read with its mode checked, written so that a crash leaves the old ring or the new one.
extension KeyRing {
    /// 256 keys take under 80 KiB.
    private static let fileBytesMax = 1 << 20

    /// Reads the file; refuses one that group or world may use, anything but a regular file, and a malformed ring.
    public init(contentsOf path: String) throws(KeyRingError) {
        // O_NONBLOCK: opening a FIFO must not wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Self.failure(.unreadable, "open", path, errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.failure(.unreadable, "stat", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw KeyRingError(.unreadable, "\(path) is not a file.") }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw KeyRingError(.permissions, "\(path) has mode 0\(mode); only its owner may use it: chmod 600 \(path)")
        }
        guard status.st_size <= Self.fileBytesMax else { throw KeyRingError(.malformed, "\(path) is too large.") }
        var bytes = [UInt8](repeating: 0, count: Self.fileBytesMax + 1)
        defer { bytes.wipe() }
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw Self.failure(.unreadable, "read", path, errno) }
            if read == 0 { break }
            count += read
        }
        guard count <= Self.fileBytesMax else { throw KeyRingError(.malformed, "\(path) is too large.") }
        var text = Array(bytes[..<count])
        defer { text.wipe() }
        do {
            try self.init(json: text)
        } catch {
            throw KeyRingError(error.code, "\(path): \(error.detail)")
        }
    }

    /// Writes atomically (temporary file, fsync, rename) with mode 0600; refuses to replace a file unless told.
    ///
    /// Through a symbolic link it replaces the file that the link names. The folder must be writable.
    public func write(to path: String, replacing: Bool) throws(KeyRingError) {
        let target = Self.resolved(path)
        let folder = Self.folder(of: target)
        let temporary = "\(folder)/.ackhub-keys-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(.unwritable, "create a file beside", path, errno) }
        // After a rename there is nothing left to unlink, which is fine.
        defer { unlink(temporary) }
        do {
            defer { close(file) }
            try self.writeAll(to: file, path)
        }
        if replacing {
            guard rename(temporary, target) == 0 else { throw Self.failure(.unwritable, "replace", path, errno) }
        } else {
            // link(2) fails where rename(2) would replace.
            guard link(temporary, target) == 0 else {
                let code = errno
                if code == EEXIST { throw KeyRingError(.exists, "\(path) exists; it is not replaced.") }
                throw Self.failure(.unwritable, "create", path, code)
            }
        }
        try Self.syncFolder(folder, path)
    }

    /// Reads the file, changes the ring and replaces the file; the ring as it then is. Of changes at one time, in any
    /// processes, none is lost: each waits for the one before.
    public static func change(
        fileAt path: String, _ change: (inout KeyRing) throws(KeyRingError) -> Void
    ) throws(KeyRingError) -> KeyRing {
        // The folder is locked, not the file: another file takes its name meanwhile.
        let folder = try Self.openFolder(Self.folder(of: Self.resolved(path)), path)
        defer { close(folder) }
        while flock(folder, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure(.unwritable, "lock the folder of", path, errno) }
        }
        var ring = try KeyRing(contentsOf: path)
        try change(&ring)
        try ring.write(to: path, replacing: true)
        return ring
    }

    private func writeAll(to file: Int32, _ path: String) throws(KeyRingError) {
        var text = self.json()
        defer { text.wipe() }
        var offset = 0
        while offset < text.count {
            let written = text.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + offset, $0.count - offset) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(.unwritable, "write", path, errno) }
            offset += written
        }
        guard fsync(file) == 0 else { throw Self.failure(.unwritable, "sync", path, errno) }
    }

    /// A rename is durable when its folder is synced.
    private static func syncFolder(_ folder: String, _ path: String) throws(KeyRingError) {
        let handle = try Self.openFolder(folder, path)
        defer { close(handle) }
        guard fsync(handle) == 0 else { throw Self.failure(.unwritable, "sync the folder of", path, errno) }
    }

    private static func openFolder(_ folder: String, _ path: String) throws(KeyRingError) -> Int32 {
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw Self.failure(.unwritable, "open the folder of", path, errno) }
        return handle
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(
        _ code: KeyRingError.Code, _ action: String, _ path: String, _ error: Int32
    ) -> KeyRingError {
        KeyRingError(code, "Can't \(action) \(path): \(String(cString: strerror(error))).")
    }
}
