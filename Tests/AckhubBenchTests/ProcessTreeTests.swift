import CommandLineOptions
import Glibc
import TestSupport
import Testing

@testable import ackhub_bench

@Suite(.blocking)
struct ProcessTreeTests {
    /// A name with parentheses and spaces does not shift the fields.
    @Test func readsTimesBehindAnyName() {
        let rest = "S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0 1 0 99"
        #expect(ProcessTree.times(inStat: "7 (sh) \(rest)") == 127)
        #expect(ProcessTree.times(inStat: "7 (a) b) (c) \(rest)") == 127)
        #expect(ProcessTree.times(inStat: "7 (sh) S 1 2 3") == nil)
        #expect(ProcessTree.times(inStat: "7 (sh) \(rest.replacing("100", with: "x"))") == nil)
        #expect(ProcessTree.times(inStat: "") == nil)
    }

    /// A grandchild that burns is seen while it lives.
    @Test func seesALivingDescendant() throws {
        // It ends by itself when its parent is gone.
        let burner = "while kill -0 $PPID 2>/dev/null; do i=0; while [ $i -lt 10000 ]; do i=$((i+1)); done; done"
        let child = try ChildProcess("/bin/sh", ["-c", "sh -c '\(burner)' & wait"])
        let tree = ProcessTree(name: "burner", pid: child.pid)
        #expect(try waitUntil { try tree.cpuMicroseconds() >= 200_000 })
    }

    /// A grandchild that burned and ended is still counted: as much as the shell says itself.
    @Test func countsADescendantThatEnded() throws {
        let burner = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done"
        let child = try ChildProcess("/bin/sh", ["-c", "sh -c '\(burner)'; times; echo done; read line"])
        #expect(waitUntil { child.standardOutput.contains("done") })
        let found = Double(try ProcessTree(name: "burner", pid: child.pid).cpuMicroseconds()) / 1e6
        let said = Self.seconds(inTimes: child.standardOutput)
        #expect(said > 0.05, "the burner burned nothing: \(child.standardOutput)")
        #expect(abs(found - said) < 0.05)
    }

    /// A process that is gone is an error, not an idle one.
    @Test func refusesAProcessThatIsGone() throws {
        let child = try ChildProcess("/bin/true")
        _ = child.wait()
        #expect(throws: CommandError.self) {
            try ProcessTree(name: "gone", pid: child.pid).cpuMicroseconds()
        }
    }

    /// The sum of the shell's own words: `0m0.01s 0m0.02s` for itself and for its children.
    private static func seconds(inTimes text: String) -> Double {
        text.split { $0.isWhitespace }.reduce(0) { sum, word in
            let parts = word.split(separator: "m")
            guard parts.count == 2, parts[1].hasSuffix("s"), let minutes = Double(parts[0]),
                let seconds = Double(parts[1].dropLast())
            else { return sum }
            return sum + 60 * minutes + seconds
        }
    }
}
