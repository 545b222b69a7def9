import Glibc
import Synchronization

@testable import EventSpool

/// The kernel's file calls with a gate at `fdatasync`: closed, a sync waits; broken, it fails.
final class GatedFiles: FileSystem, Sendable {
    private let kernel = LinuxFileSystem()
    private let isClosed = Atomic<Bool>(false)
    private let isBroken = Atomic<Bool>(false)
    private let waiting = Atomic<Int>(0)

    func closeGate() { self.isClosed.store(true, ordering: .sequentiallyConsistent) }
    func openGate() { self.isClosed.store(false, ordering: .sequentiallyConsistent) }
    func breakSyncs() { self.isBroken.store(true, ordering: .sequentiallyConsistent) }
    /// Syncs that stand at the gate.
    var waitingCount: Int { self.waiting.load(ordering: .sequentiallyConsistent) }

    func syncData(_ file: Int32) throws(SystemCallError) {
        self.waiting.wrappingAdd(1, ordering: .sequentiallyConsistent)
        while self.isClosed.load(ordering: .sequentiallyConsistent) { usleep(500) }
        self.waiting.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if self.isBroken.load(ordering: .sequentiallyConsistent) { throw SystemCallError(call: "fdatasync", errno: 5) }
        try self.kernel.syncData(file)
    }

    func makeDirectory(_ path: String) throws(SystemCallError) -> Bool { try self.kernel.makeDirectory(path) }
    func fileNames(in directory: String) throws(SystemCallError) -> [String] {
        try self.kernel.fileNames(in: directory)
    }
    func syncDirectory(_ path: String) throws(SystemCallError) { try self.kernel.syncDirectory(path) }
    func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        try self.kernel.rename(path, to: newPath)
    }
    func unlink(_ path: String) throws(SystemCallError) { try self.kernel.unlink(path) }
    func open(_ path: String, create: Bool) throws(SystemCallError) -> Int32 {
        try self.kernel.open(path, create: create)
    }
    func close(_ file: Int32) { self.kernel.close(file) }
    func lock(_ file: Int32) throws(SystemCallError) -> Bool { try self.kernel.lock(file) }
    func byteCount(_ file: Int32) throws(SystemCallError) -> UInt64 { try self.kernel.byteCount(file) }
    func read(_ file: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer)
        throws(SystemCallError) -> Int
    { try self.kernel.read(file, at: offset, into: buffer) }
    func write(_ file: Int32, at offset: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws(SystemCallError) -> Int {
        try self.kernel.write(file, at: offset, pieces)
    }
}
