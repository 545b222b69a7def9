/// The directory of a spool: its paths, and how files in it come and go.
struct SpoolFolder: Sendable {
    let files: any FileSystem
    let path: String

    static let lockName = "lock"
    static let identityName = "identity"
    static let unfinishedIdentityName = "identity.new"

    func path(of name: String) -> String { self.path + "/" + name }

    func open(_ segment: Segment) throws(SystemCallError) -> Int32 {
        try self.files.open(self.path(of: segment.fileName), create: false)
    }

    /// Makes a segment that is whole or absent after a crash at any instant: filled and synced under another name first.
    func create(_ segment: Segment) throws(SystemCallError) {
        let unfinished = self.path(of: segment.unfinishedName)
        do {
            let file = try self.files.open(unfinished, create: true)
            defer { self.files.close(file) }
            try self.files.writeZeros(file, UInt64(Segment.headerBytes)..<segment.byteCount)
            try self.write(SegmentHeader.bytes(of: segment), to: file, at: 0)
            try self.files.syncData(file)
        } catch {
            // Frees the room it took; left behind, it goes at the next start.
            try? self.files.unlink(unfinished)
            throw error
        }
        try self.files.rename(unfinished, to: self.path(of: segment.fileName))
        try self.files.syncDirectory(self.path)
    }

    func write(_ bytes: [UInt8], to file: Int32, at offset: UInt64) throws(SystemCallError) {
        var failure: SystemCallError?
        bytes.withUnsafeBytes { bytes in
            do throws(SystemCallError) {
                try self.files.writeFully(file, at: offset, [bytes])
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
