import CommandLineOptions
import Glibc

/// A file that a run reads whole before it begins.
enum InputFile {
    static let tokenBytesMax = 512

    /// - Throws: when the file can't be read or has more than so many bytes.
    static func read(_ path: String, bytesMax: Int) throws(CommandError) -> [UInt8] {
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
            guard bytes.count <= bytesMax else { throw CommandError("\(path) has more than \(bytesMax) bytes") }
        }
    }

    /// An API token, as `ackhub tokens create` prints it: in a file, because every user of the machine sees a command line.
    static func token(_ path: String) throws(CommandError) -> String {
        var bytes = try Self.read(path, bytesMax: Self.tokenBytesMax)
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw CommandError("\(path) does not hold a token and nothing else")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
