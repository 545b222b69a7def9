import CommandLineOptions
import Glibc

/// What comes on stdin.
enum Input {
    /// All of it.
    ///
    /// - Throws: when it can't be read or is longer than `bytesMax`.
    static func standardInput(bytesMax: Int) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= bytesMax {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw CommandError("cannot read stdin: \(String(cString: strerror(errno)))")
            }
        }
        throw CommandError("stdin is longer than \(bytesMax) bytes")
    }
}
