import EventSpool
import Glibc
import Synchronization
import TestSupport

/// A disk in memory that can fail any call and lose its power.
///
/// It keeps what was synced apart from what was only written, in sectors of 512 bytes; names are durable with
/// `syncDirectory`. After a power cut each unsynced sector may be there or not, independently, as a real disk may leave it.
final class MemoryFileSystem: FileSystem, Sendable {
    enum Call: Hashable, Sendable, CaseIterable {
        case open, rename, unlink, read, write, syncData, syncDirectory, byteCount
    }

    private final class File {
        var content: [UInt8] = []
        var synced: [UInt8] = []
        var dirty: Set<Int> = []
        var isLocked = false
    }

    private struct State {
        var names: [String: File] = [:]
        var syncedNames: [String: File] = [:]
        var open: [Int32: (file: File, path: String)] = [:]
        var nextNumber: Int32 = 3
        var bytesFree = Int.max
        var shortWrites = false
        var calls: [Call: Int] = [:]
        var failure: (@Sendable (Call, String, Int) -> Int32?)?
    }

    private static let sector = 512
    private let state = Mutex(State())

    /// Asked before every call, without a lock, so it may also block, or look at the disk: by call, file name and the number
    /// of calls of this kind so far it decides which errno the call fails with; nil: none.
    func setFailure(_ failure: (@Sendable (_ call: Call, _ path: String, _ number: Int) -> Int32?)?) {
        self.state.withLock { $0.failure = failure }
    }

    /// Every write writes at most half of what was asked.
    func setShortWrites() { self.state.withLock { $0.shortWrites = true } }

    func count(_ call: Call) -> Int { self.state.withLock { $0.calls[call, default: 0] } }

    func content(_ name: String) -> [UInt8]? { self.state.withLock { $0.names[name]?.content } }

    /// Overwrites bytes behind the spool's back, durably.
    func damage(_ name: String, at offset: Int, _ bytes: [UInt8]) {
        self.state.withLock { state in
            let file = state.names[name]!
            file.content.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
            file.synced = file.content
        }
    }

    func remove(_ name: String) {
        self.state.withLock { state in
            state.names[name] = nil
            state.syncedNames[name] = nil
        }
    }

    func replace(_ name: String, _ content: [UInt8]) {
        self.state.withLock { state in
            let file = File()
            file.content = content
            file.synced = content
            state.names[name] = file
            state.syncedNames[name] = file
        }
    }

    var names: [String] { self.state.withLock { $0.names.keys.sorted() } }

    /// The disk as it may be found after the power failed at this instant.
    func afterPowerCut(seed: UInt64) -> MemoryFileSystem {
        let after = MemoryFileSystem()
        let survivors = self.state.withLock { state -> [String: [UInt8]] in
            var random = SeededRandom(seed: seed)
            // Each change of a name since the last sync of the folder has happened or not.
            var names = state.syncedNames
            for (name, file) in state.names.sorted(by: { $0.key < $1.key })
            where names[name] !== file && Bool.random(using: &random) {
                names[name] = file
            }
            for name in state.syncedNames.keys.sorted()
            where state.names[name] == nil && Bool.random(using: &random) {
                names[name] = nil
            }
            var survivors: [String: [UInt8]] = [:]
            for (name, file) in names.sorted(by: { $0.key < $1.key }) {
                var content = file.synced
                for sector in file.dirty.sorted() where Bool.random(using: &random) {
                    let range = (sector * Self.sector)..<min((sector + 1) * Self.sector, file.content.count)
                    guard !range.isEmpty else { continue }
                    if content.count < range.upperBound {
                        content.append(contentsOf: [UInt8](repeating: 0, count: range.upperBound - content.count))
                    }
                    content.replaceSubrange(range, with: file.content[range])
                }
                survivors[name] = content
            }
            return survivors
        }
        for (name, content) in survivors { after.replace(name, content) }
        return after
    }

    /// What a new process finds after `kill -9`: all that was written, synced or not.
    func afterKill() -> MemoryFileSystem {
        let after = MemoryFileSystem()
        let contents = self.state.withLock { $0.names.mapValues(\.content) }
        for (name, content) in contents { after.replace(name, content) }
        return after
    }

    // MARK: FileSystem

    func makeDirectory(_ path: String) throws(SystemCallError) -> Bool { false }

    func fileNames(in directory: String) throws(SystemCallError) -> [String] { self.names }

    func syncDirectory(_ path: String) throws(SystemCallError) {
        try self.mayFail(.syncDirectory, path)
        self.state.withLock { $0.syncedNames = $0.names }
    }

    func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        try self.mayFail(.rename, Self.name(path))
        self.state.withLock { state in
            state.names[Self.name(newPath)] = state.names.removeValue(forKey: Self.name(path))
        }
    }

    func unlink(_ path: String) throws(SystemCallError) {
        try self.mayFail(.unlink, Self.name(path))
        let wasThere = self.state.withLock { $0.names.removeValue(forKey: Self.name(path)) != nil }
        if !wasThere { throw SystemCallError(call: "unlink \(path)", errno: ENOENT) }
    }

    func open(_ path: String, create: Bool) throws(SystemCallError) -> Int32 {
        try self.mayFail(.open, Self.name(path))
        let number = self.state.withLock { state -> Int32? in
            let name = Self.name(path)
            if create && state.names[name] == nil { state.names[name] = File() }
            guard let file = state.names[name] else { return nil }
            if create && !file.content.isEmpty {
                file.content = []
                file.synced = []
                file.dirty = []
            }
            state.nextNumber += 1
            state.open[state.nextNumber] = (file, name)
            return state.nextNumber
        }
        guard let number else { throw SystemCallError(call: "open \(path)", errno: ENOENT) }
        return number
    }

    func close(_ file: Int32) {
        self.state.withLock { state in
            let entry = state.open.removeValue(forKey: file)
            precondition(entry != nil, "closed twice")
            if entry!.path == "lock" { entry!.file.isLocked = false }
        }
    }

    func lock(_ file: Int32) throws(SystemCallError) -> Bool {
        self.state.withLock { state in
            let file = state.open[file]!.file
            defer { file.isLocked = true }
            return !file.isLocked
        }
    }

    func byteCount(_ file: Int32) throws(SystemCallError) -> UInt64 {
        try self.mayFail(.byteCount, self.path(file))
        return self.state.withLock { UInt64($0.open[file]!.file.content.count) }
    }

    func read(_ file: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError)
        -> Int
    {
        try self.mayFail(.read, self.path(file))
        return self.state.withLock { state in
            let content = state.open[file]!.file.content
            guard offset < content.count else { return 0 }
            let count = min(buffer.count, content.count - Int(offset))
            content.withUnsafeBytes { bytes in
                buffer.baseAddress!.copyMemory(from: bytes.baseAddress! + Int(offset), byteCount: count)
            }
            return count
        }
    }

    func write(_ file: Int32, at offset: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws(SystemCallError) -> Int {
        try self.mayFail(.write, self.path(file))
        return self.state.withLock { state in
            let target = state.open[file]!.file
            var total = 0
            for piece in pieces { total += piece.count }
            var left = state.shortWrites ? (total + 1) / 2 : total
            let written = left
            var place = Int(offset)
            for piece in pieces where left > 0 {
                let count = min(left, piece.count)
                if target.content.count < place + count {
                    target.content.append(
                        contentsOf: [UInt8](repeating: 0, count: place + count - target.content.count))
                }
                target.content.withUnsafeMutableBytes { bytes in
                    (bytes.baseAddress! + place).copyMemory(from: piece.baseAddress!, byteCount: count)
                }
                for sector in (place / Self.sector)...((place + count - 1) / Self.sector) {
                    target.dirty.insert(sector)
                }
                place += count
                left -= count
            }
            return written
        }
    }

    func syncData(_ file: Int32) throws(SystemCallError) {
        try self.mayFail(.syncData, self.path(file))
        self.state.withLock { state in
            let file = state.open[file]!.file
            if file.synced.count != file.content.count || file.dirty.count * Self.sector > file.content.count {
                file.synced = file.content
            } else {
                for sector in file.dirty {
                    let range = (sector * Self.sector)..<min((sector + 1) * Self.sector, file.content.count)
                    file.synced.replaceSubrange(range, with: file.content[range])
                }
            }
            file.dirty = []
        }
    }

    private func path(_ file: Int32) -> String { self.state.withLock { $0.open[file]!.path } }

    private func mayFail(_ call: Call, _ path: String) throws(SystemCallError) {
        let (failure, number) = self.state.withLock { state in
            state.calls[call, default: 0] += 1
            return (state.failure, state.calls[call]!)
        }
        if let code = failure?(call, path, number) { throw SystemCallError(call: "\(call) \(path)", errno: code) }
    }

    private static func name(_ path: String) -> String { String(path[path.index(after: path.lastIndex(of: "/")!)...]) }
}
