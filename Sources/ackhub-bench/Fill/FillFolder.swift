import CommandLineOptions
import Glibc

/// A folder for a spool, which goes with its object.
final class FillFolder {
    let path: String

    /// Makes one below `parent`, which is there.
    init(below parent: String) throws(CommandError) {
        var path = Array("\(parent)/ackhub-fill-XXXXXX".utf8CString)
        guard path.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else {
            throw CommandError("\(parent): no folder can be made: \(String(cString: strerror(errno)))")
        }
        self.path = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { self.remove() }

    /// Removes it with its files; a spool has no folders inside.
    func remove() {
        guard let folder = opendir(self.path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            unlink("\(self.path)/\(name)")
        }
        closedir(folder)
        rmdir(self.path)
    }
}
