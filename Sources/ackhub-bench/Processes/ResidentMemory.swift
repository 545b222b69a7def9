import CommandLineOptions

/// How much memory of a process is resident, as proc(5) tells in `status`; its children are not counted.
struct ResidentMemory: Sendable, Equatable {
    /// VmRSS.
    let bytes: UInt64
    /// VmHWM: the most that it was.
    let peakBytes: UInt64

    init(of process: ProcessTree) throws(CommandError) {
        guard let text = ProcessTree.read("/proc/\(process.pid)/status") else {
            throw CommandError("process \(process.name): there is no process \(process.pid)")
        }
        guard let memory = Self(inStatus: text) else {
            throw CommandError("process \(process.name): /proc does not tell its memory")
        }
        self = memory
    }

    /// Nil for a kernel thread or a process that has ended.
    init?(inStatus text: String) {
        guard let bytes = Self.bytes("VmRSS:", in: text), let peakBytes = Self.bytes("VmHWM:", in: text) else {
            return nil
        }
        self.bytes = bytes
        self.peakBytes = peakBytes
    }

    /// `VmRSS:     12345 kB`, where a kB has 1024 bytes.
    private static func bytes(_ name: String, in text: String) -> UInt64? {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let words = line.dropFirst(name.count).split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count == 2, words[1] == "kB", let kibibytes = UInt64(words[0]) else { return nil }
            return kibibytes * 1_024
        }
        return nil
    }
}
