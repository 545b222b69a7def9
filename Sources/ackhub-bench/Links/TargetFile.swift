import CommandLineOptions
import Glibc

/// A file of request targets, one a line: what is asked of a server that is no hub.
enum TargetFile {
    static let targetBytesMax = 8_192
    static let fileBytesMax = 1 << 30

    /// Adds a request for each line.
    ///
    /// - Throws: when the file can't be read, is too large or empty, or a line is no target.
    static func append(_ path: String, to list: inout RequestList) throws(CommandError) {
        let bytes = try Self.read(path)
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard line.first == UInt8(ascii: "/"), line.count <= Self.targetBytesMax,
                line.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { throw CommandError("\(path): line \(index + 1) is not a path like /ack/…") }
            guard list.count < RequestList.countMax else {
                throw CommandError("\(path): more than \(RequestList.countMax) targets")
            }
            list.append(line, .other)
        }
        guard list.count > 0 else { throw CommandError("\(path) holds no target") }
    }

    private static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw CommandError("cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CommandError("cannot read \(path): \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.fileBytesMax else { throw CommandError("\(path) is larger than 1 GiB") }
        }
    }
}
