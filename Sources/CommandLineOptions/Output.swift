import Glibc
package import StrictJSON

/// The two streams: results on stdout, diagnostics on stderr.
package enum Output {
    /// Writes one line to stdout.
    ///
    /// - Throws: when it can't be written, so that a full disk or a closed pipe is not taken for success.
    package static func line(_ text: String) throws { try self.bytes(Array((text + "\n").utf8)) }

    /// Writes one JSON value and a line's end to stdout.
    package static func json(_ body: (inout JSONWriter) -> Void) throws {
        var writer = JSONWriter()
        body(&writer)
        try self.bytes(writer.bytes + [UInt8(ascii: "\n")])
    }

    package static func bytes(_ bytes: [UInt8]) throws {
        if let code = self.write(bytes[...], to: STDOUT_FILENO) {
            throw CommandError("cannot write the result: \(String(cString: strerror(code)))")
        }
    }

    /// Writes one line to stderr; nothing is left to tell when that fails.
    package static func diagnostic(_ text: String) { _ = self.write(Array((text + "\n").utf8)[...], to: STDERR_FILENO) }

    /// Rewrites the last line of a terminal on stderr; nothing where stderr is not one.
    package static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        _ = self.write(Array("\r\u{1B}[K\(text)".utf8)[...], to: STDERR_FILENO)
    }

    /// Nil when all was written, else the errno.
    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
        var rest = bytes
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
