import Foundation

/// A folder of its own for one test, removed with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        let template = NSTemporaryDirectory() + "ackhub-test-XXXXXX"
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else { fatalError("mkdtemp: errno \(errno)") }
        self.path = String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }

    package func file(_ name: String) -> String { self.path + "/" + name }
}
