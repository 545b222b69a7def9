import CommandLineOptions

/// A file of request targets, one a line: what is asked of a server that is no hub.
enum TargetFile {
    static let targetBytesMax = 8_192
    static let fileBytesMax = 1 << 30

    /// Adds a request for each line.
    ///
    /// - Throws: when the file can't be read, is too large or empty, or a line is no target.
    static func append(_ path: String, to list: inout RequestList) throws(CommandError) {
        let bytes = try InputFile.read(path, bytesMax: Self.fileBytesMax)
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
}
