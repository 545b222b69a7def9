import CommandLineOptions
import Glibc
import Testing

@testable import ackhub_bench

@Suite
struct ResidentMemoryTests {
    @Test func readsTheStatus() {
        let text = "Name:\tackhub\nVmPeak:\t  900 kB\nVmHWM:\t   64 kB\nVmRSS:\t   12 kB\nThreads:\t1\n"
        let memory = ResidentMemory(inStatus: text)
        #expect(memory?.bytes == 12_288 && memory?.peakBytes == 65_536)
        for broken in ["", "VmRSS:\t12 kB\n", "VmRSS: 12 MB\nVmHWM: 1 kB\n", "VmRSS: x kB\nVmHWM: 1 kB\n"] {
            #expect(ResidentMemory(inStatus: broken) == nil)
        }
    }

    /// A process that is here has memory, one that is not is an error.
    @Test func readsAProcess() throws {
        let own = try ResidentMemory(of: ProcessTree(name: "own", pid: getpid()))
        #expect(own.bytes > 1 << 20 && own.peakBytes >= own.bytes)
        #expect(throws: CommandError.self) { try ResidentMemory(of: ProcessTree(name: "none", pid: 1 << 29)) }
    }
}
