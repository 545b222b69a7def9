import CommandLineOptions
import Glibc
import HubServer

/// The lines of a file or of stdin, read as they are asked for, in memory bounded by the longest line. Blank ones are left out.
struct InputLines: ~Copyable {
    enum Line: Equatable {
        /// Without its line feed and a carriage return before it.
        case text([UInt8])
        case tooLong
    }

    private static let chunkBytes = 64 << 10

    private let path: String
    private let descriptor: Int32
    private var splitter: LineSplitter
    private var chunk: [UInt8] = []
    private var offset = 0
    private var number = 0
    private var isAtEnd = false

    /// - Parameter path: `-` is stdin.
    init(path: String, lineBytesMax: Int) throws(CommandError) {
        self.path = path
        self.splitter = LineSplitter(bytesMax: lineBytesMax)
        self.descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        let code = errno
        guard self.descriptor >= 0 else { throw CommandError("\(path): \(String(cString: strerror(code)))") }
    }

    deinit { if self.descriptor != STDIN_FILENO { close(self.descriptor) } }

    /// The next line that is not blank, with its number from 1; nil at the end.
    mutating func next() throws(CommandError) -> (number: Int, line: Line)? {
        while let line = try self.nextOfAny() {
            self.number += 1
            guard let bytes = self.bytes(of: line) else { return (self.number, .tooLong) }
            if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return (self.number, .text(bytes)) }
        }
        return nil
    }

    private mutating func nextOfAny() throws(CommandError) -> LineSplitter.Line? {
        while true {
            if let line = self.splitter.next(in: self.chunk, at: &self.offset) { return line }
            if self.isAtEnd { return nil }
            try self.fill()
            if self.isAtEnd { return self.splitter.finish() }
        }
    }

    private func bytes(of line: LineSplitter.Line) -> [UInt8]? {
        var bytes: [UInt8]
        switch line {
        case .tooLong: return nil
        case .inChunk(let range): bytes = Array(self.chunk[range])
        case .joined: bytes = self.splitter.joined
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }

    private mutating func fill() throws(CommandError) {
        self.offset = 0
        self.chunk = []
        var buffer = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            let count = read(self.descriptor, &buffer, buffer.count)
            let code = errno
            if count > 0 {
                self.chunk = Array(buffer[..<count])
                return
            }
            if count == 0 {
                self.isAtEnd = true
                return
            }
            guard code == EINTR else { throw CommandError("\(self.path): \(String(cString: strerror(code)))") }
        }
    }
}
