import EventSpool
import Glibc
import TestSupport
import Testing

@Suite(.blocking)
struct KillTests {
    /// A process that appends is killed at a random instant, again and again on the same directory: all that it noted as
    /// acknowledged is there once and in order.
    @Test func killedTwentyTimes() async throws {
        let folder = TemporaryFolder()
        var random = SeededRandom(seed: 9)
        var found: [String] = []
        for life in 0..<20 {
            let delay = UInt32.random(in: 500..<30_000, using: &random)
            let directory = folder.file("spool")
            let notes = folder.file("acknowledged-\(life)")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [directory = directory as String, notes = notes as String, life = life as Int, delay = delay as UInt32]
                in
                try KillTests.appendUntilKilled(directory, notes: notes, life: life, after: delay)
            }
            let acknowledged = found + (try Self.lines(notes))
            let client = try SpoolClient(onDisk: SpoolClient.configuration(directory, segmentBytes: 64 << 10))
            found = try client.texts()
            #expect(found.starts(with: acknowledged), "life \(life)")
            #expect(Set(found).count == found.count)
            #expect(client.spool.metrics.corruptRegions == 0)
            client.spool.close()
        }
        #expect(found.count > 20)
    }

    /// Runs in a process of its own. Notes go to a file with plain writes: they outlive the process, like the spool's.
    private static func appendUntilKilled(_ directory: String, notes: String, life: Int, after delay: UInt32) throws {
        let file = open(notes, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let client = try SpoolClient(onDisk: SpoolClient.configuration(directory, segmentBytes: 64 << 10))
        var killer = pthread_t()
        let argument = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        argument.initialize(to: delay)
        pthread_create(
            &killer, nil,
            { argument in
                usleep(argument!.load(as: UInt32.self))
                kill(getpid(), SIGKILL)
                return nil
            }, argument)
        for group in 0... {
            let texts = (0...(group % 7)).map {
                "\(life).\(group).\($0) " + String(repeating: "k", count: group * 13 % 200)
            }
            guard try client.append(texts.map { Array($0.utf8) }).allSatisfy({ $0 == nil }) else { exit(3) }
            let note = texts.map { $0 + "\n" }.joined()
            guard write(file, note, note.utf8.count) == note.utf8.count else { exit(4) }
        }
    }

    private static func lines(_ path: String) throws -> [String] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
