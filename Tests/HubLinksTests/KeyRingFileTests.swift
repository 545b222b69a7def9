import Foundation
import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct KeyRingFileTests {
    private func error(_ body: () throws(KeyRingError) -> Void) -> KeyRingError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func secrets(_ ring: KeyRing) -> [[UInt8]] { ring.keys.map { $0.secret.withBytes { Array($0) } } }

    private func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, mode) == 0)
    }

    /// What was written reads back, with mode 0600, and nothing else is left in the folder.
    @Test func roundTrips() throws {
        let folder = TemporaryFolder()
        var ring = KeyRing(createdAt: 1_790_000_000)
        try ring.write(to: folder.file("keys"), replacing: false)
        for time in 1...3 { try ring.rotate(createdAt: 1_790_000_000 + Int64(time)) }
        try ring.retire(id: 2)
        try ring.write(to: folder.file("keys"), replacing: true)
        let read = try KeyRing(contentsOf: folder.file("keys"))
        #expect(read.entries == ring.entries)
        #expect(self.secrets(read) == self.secrets(ring))
        var status = stat()
        #expect(stat(folder.file("keys"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    /// Rotations at the same time wait for each other: every key that was made is in the file. One that is refused leaves
    /// the file and no lock behind.
    @Test func losesNoKeyOfParallelRotations() throws {
        let folder = TemporaryFolder()
        let path = folder.file("keys")
        try KeyRing(createdAt: 0).write(to: path, replacing: false)
        DispatchQueue.concurrentPerform(iterations: 16) { time in
            let ring = try? KeyRing.change(fileAt: path) { ring throws(KeyRingError) in
                try ring.rotate(createdAt: Int64(time))
            }
            #expect(ring != nil)
        }
        let refusal = self.error { () throws(KeyRingError) in
            _ = try KeyRing.change(fileAt: path) { ring throws(KeyRingError) in try ring.retire(id: 17) }
        }
        #expect(refusal?.code == .activeKey)
        let ring = try KeyRing.change(fileAt: path) { ring throws(KeyRingError) in try ring.retire(id: 1) }
        #expect(ring.entries.map(\.id) == Array(1...17))
        #expect(try KeyRing(contentsOf: path).entries == ring.entries)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    /// A full ring of 256 keys is below the size limit.
    @Test func roundTripsAFullRing() throws {
        let folder = TemporaryFolder()
        var ring = KeyRing(createdAt: 0)
        for time in 1..<256 { try ring.rotate(createdAt: Int64(time)) }
        try ring.write(to: folder.file("keys"), replacing: false)
        #expect(try KeyRing(contentsOf: folder.file("keys")).entries == ring.entries)
    }

    /// Any right of group or world is refused, and the message says what to do.
    @Test(arguments: [0o640, 0o604, 0o644, 0o660, 0o620, 0o602, 0o610, 0o777] as [mode_t])
    func refusesOpenModes(_ mode: mode_t) throws {
        let folder = TemporaryFolder()
        try KeyRing(createdAt: 0).write(to: folder.file("keys"), replacing: false)
        #expect(chmod(folder.file("keys"), mode) == 0)
        let error = self.error { () throws(KeyRingError) in _ = try KeyRing(contentsOf: folder.file("keys")) }
        #expect(error?.code == .permissions)
        #expect(error?.detail.contains("chmod 600") == true)
    }

    /// Stricter modes than 0600 are fine.
    @Test func acceptsReadOnlyFiles() throws {
        let folder = TemporaryFolder()
        try KeyRing(createdAt: 0).write(to: folder.file("keys"), replacing: false)
        #expect(chmod(folder.file("keys"), 0o400) == 0)
        #expect(try KeyRing(contentsOf: folder.file("keys")).entries.count == 1)
    }

    /// An existing file is not replaced unless told, and stays as it was.
    @Test func doesNotReplaceUnlessTold() throws {
        let folder = TemporaryFolder()
        let first = KeyRing(createdAt: 0)
        try first.write(to: folder.file("keys"), replacing: false)
        let error = self.error { () throws(KeyRingError) in
            try KeyRing(createdAt: 1).write(to: folder.file("keys"), replacing: false)
        }
        #expect(error?.code == .exists)
        #expect(self.secrets(try KeyRing(contentsOf: folder.file("keys"))) == self.secrets(first))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    /// Through a symbolic link the named file is replaced and the link stays.
    @Test func writesThroughALink() throws {
        let folder = TemporaryFolder()
        #expect(mkdir(folder.file("real"), 0o700) == 0)
        try KeyRing(createdAt: 0).write(to: folder.file("real/keys"), replacing: false)
        #expect(symlink("real/keys", folder.file("keys")) == 0)
        let ring = KeyRing(createdAt: 9)
        try ring.write(to: folder.file("keys"), replacing: true)
        #expect(self.secrets(try KeyRing(contentsOf: folder.file("real/keys"))) == self.secrets(ring))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("keys")) == "real/keys")
    }

    /// What is no readable file is an error at once: nothing there, a folder, a FIFO without a writer.
    @Test func refusesWhatIsNoFile() throws {
        let folder = TemporaryFolder()
        #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
        for path in [folder.file("missing"), folder.path, folder.file("fifo"), "", "/dev/null"] {
            let error = self.error { () throws(KeyRingError) in _ = try KeyRing(contentsOf: path) }
            #expect(error?.code == .unreadable, "\(path)")
        }
    }

    /// A folder that is not there can't be written to.
    @Test func refusesAMissingFolder() {
        let error = self.error { () throws(KeyRingError) in
            try KeyRing(createdAt: 0).write(to: TemporaryFolder().file("missing/keys"), replacing: true)
        }
        #expect(error?.code == .unwritable)
    }

    /// A file past the size limit is not parsed.
    @Test func refusesHugeFiles() throws {
        let folder = TemporaryFolder()
        try self.write(String(repeating: " ", count: 2 << 20), to: folder.file("keys"))
        let error = self.error { () throws(KeyRingError) in _ = try KeyRing(contentsOf: folder.file("keys")) }
        #expect(error?.code == .malformed)
    }

    private static let hex = String(repeating: "a1", count: 64)
    private static let key =
        #"{"id": 1, "state": "active", "created_at": "2026-01-01T00:00:00Z", "key_hex": "\#(Self.hex)"}"#

    private static func ring(_ key: String) -> String { #"{"version": 1, "keys": [\#(key)]}"# }

    /// The sample that the next test damages is good.
    @Test func readsTheSample() throws {
        let ring = try KeyRing(json: Array(Self.ring(Self.key).utf8))
        #expect(ring.entries == [KeyRing.Entry(id: 1, state: .active, createdAt: 1_767_225_600)])
        #expect(self.secrets(ring) == [[UInt8](repeating: 0xa1, count: 64)])
    }

    /// Each damage is refused with a reason that names the place and never shows the key.
    @Test(
        arguments: [
            ("", "JSON"), ("[]", "type"), ("{}", "version"), ("not json \(Self.hex)", "JSON"),
            (Self.ring(Self.key).replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2"), "version 2"),
            (Self.ring(Self.key).replacingOccurrences(of: "\"version\": 1", with: "\"version\": \"1\""), "version"),
            (Self.ring(Self.key).dropLast() + ", \"more\": 1}", "more"),
            (Self.ring(""), "exactly one active"), (Self.ring("\(Self.key), \(Self.key)"), "same id"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"id\": 1", with: "\"id\": 256")), "256"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"id\": 1", with: "\"id\": -1")), "-1"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"id\": 1", with: "\"id\": 1.5")), "id"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"id\": 1, ", with: "")), "id is missing"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"id\"", with: "\"ID\"")), "ID"),
            (Self.ring(Self.key.replacingOccurrences(of: "active", with: "Active")), "state"),
            (Self.ring(Self.key.replacingOccurrences(of: "active", with: "accepted")), "exactly one active"),
            (Self.ring(Self.key.replacingOccurrences(of: "2026-01-01", with: "2026-13-01")), "created_at"),
            (Self.ring(Self.key.replacingOccurrences(of: Self.hex, with: Self.hex.dropLast())), "128 hex"),
            (Self.ring(Self.key.replacingOccurrences(of: Self.hex, with: Self.hex + "00")), "128 hex"),
            (Self.ring(Self.key.replacingOccurrences(of: Self.hex, with: Self.hex.dropLast() + "g")), "128 hex"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"\(Self.hex)\"", with: "null")), "key_hex"),
            (Self.ring(Self.key.replacingOccurrences(of: "\"\(Self.hex)\"", with: "7")), "key_hex"),
        ] as [(String, String)])
    func refusesMalformedRings(_ text: String, _ reason: String) throws {
        let error = self.error { () throws(KeyRingError) in _ = try KeyRing(json: Array(text.utf8)) }
        #expect(error?.code == .malformed)
        #expect(error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("a1a1") == false)
    }
}
