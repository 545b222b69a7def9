import Foundation
import Synchronization

/// A folder of its own for one test, removed with it; at the latest when the process ends, since a static keeps what it
/// holds until then.
package final class TemporaryFolder: Sendable {
    package let path: String

    private static let paths = Mutex<Set<String>>([])
    private static let removesAtExit: Void = {
        atexit { for path in TemporaryFolder.paths.withLock({ $0 }) { TemporaryFolder.remove(path) } }
    }()

    package init() {
        let template = NSTemporaryDirectory() + "ackhub-test-XXXXXX"
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else { fatalError("mkdtemp: errno \(errno)") }
        let path = String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.path = path
        _ = Self.removesAtExit
        Self.paths.withLock { _ = $0.insert(path) }
    }

    deinit {
        let path = self.path
        Self.remove(path)
        Self.paths.withLock { _ = $0.remove(path) }
    }

    private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { self.path + "/" + name }
}
