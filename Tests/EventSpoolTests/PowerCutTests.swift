import EventSpool
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.blocking)
struct PowerCutTests {
    /// A disk image taken before the call of the given number, and what had been acknowledged by then.
    private final class Camera: Sendable {
        private let acknowledged = Mutex<[String]>([])
        private let picture = Mutex<(disk: MemoryFileSystem, acknowledged: [String])?>(nil)
        private let calls = Mutex(0)

        func acknowledge(_ texts: [String]) { self.acknowledged.withLock { $0 += texts } }

        func watch(
            _ files: MemoryFileSystem, shootAt number: Int,
            _ image: @escaping @Sendable (MemoryFileSystem) -> MemoryFileSystem
        ) {
            files.setFailure { [self] call, _, _ in
                guard call != .read else { return nil }
                let isNow = self.calls.withLock { calls in
                    calls += 1
                    return calls == number
                }
                if isNow { self.shoot(files, image) }
                return nil
            }
        }

        func shoot(_ files: MemoryFileSystem, _ image: (MemoryFileSystem) -> MemoryFileSystem) {
            // First what was acknowledged, then the disk: the other order would ask too much of it.
            let acknowledged = self.acknowledged.withLock { $0 }
            let disk = image(files)
            self.picture.withLock { $0 = (disk, acknowledged) }
        }

        var result: (disk: MemoryFileSystem, acknowledged: [String])? { self.picture.withLock { $0 } }
    }

    /// The power fails before any call, at each of three starts in a row, and leaves any part of what was not synced: all
    /// that was acknowledged is there once and in order, and nothing that was not appended.
    @Test(arguments: 0..<150) func losesNothingAcknowledged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var files = MemoryFileSystem()
        var found: [String] = []
        var appended = Set<String>()
        for life in 0..<3 {
            let camera = Camera()
            let isKill = Bool.random(using: &random)
            let cut = UInt64.random(in: 0 ... .max, using: &random)
            camera.acknowledge(found)
            let image: @Sendable (MemoryFileSystem) -> MemoryFileSystem = {
                isKill ? $0.afterKill() : $0.afterPowerCut(seed: cut)
            }
            camera.watch(files, shootAt: Int.random(in: 1..<120, using: &random), image)
            let client = try SpoolClient(files)
            #expect(try client.texts() == found)
            for group in 0..<30 where camera.result == nil {
                let texts = (0..<Int.random(in: 1..<6, using: &random)).map {
                    "\(life).\(group).\($0) " + String(repeating: "p", count: Int.random(in: 0..<190, using: &random))
                }
                appended.formUnion(texts)
                #expect(try client.append(texts.map { Array($0.utf8) }).allSatisfy { $0 == nil })
                camera.acknowledge(texts)
            }
            if camera.result == nil { camera.shoot(files, image) }
            files.setFailure(nil)
            client.spool.close()

            let (disk, acknowledged) = try #require(camera.result)
            let after = try SpoolClient(disk)
            let reader = try after.spool.makeReader(from: SpoolPosition(offset: 0))
            let texts = try SpoolClient.texts(reader)
            #expect(reader.position == after.spool.durable)
            #expect(texts.starts(with: acknowledged), "life \(life)")
            #expect(Set(texts).count == texts.count)
            #expect(appended.isSuperset(of: texts))
            after.spool.close()
            found = texts
            files = disk
        }
    }

    /// A power cut while the directory is made leaves one that can be opened.
    @Test(arguments: 1..<30) func survivesACutDuringTheFirstStart(call: Int) throws {
        let files = MemoryFileSystem()
        let camera = Camera()
        camera.watch(files, shootAt: call) { $0.afterPowerCut(seed: UInt64(call)) }
        let client = try SpoolClient(files)
        try client.append("one")
        client.spool.close()
        guard let (disk, _) = camera.result else { return }
        let after = try SpoolClient(disk)
        #expect(try after.append("two") == [nil])
        #expect(try after.texts().last == "two")
    }
}
