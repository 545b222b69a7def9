package import Glibc
import Synchronization

/// A program that a test runs: its output is gathered in memory, and it is killed and reaped with its handle.
///
/// It starts with default signal dispositions and with no file of ours but its three standard ones.
package final class ChildProcess: Sendable {
    package let pid: pid_t
    private let input: Mutex<Int32?>
    private let output: PipeReader
    private let error: PipeReader
    /// `waitpid`'s status once it was reaped; the lock also keeps `signal` from a pid that is no longer ours.
    private let status = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - path: the program; looked up in PATH when it has no slash.
    ///   - environment: the whole environment; nil is the test's own.
    ///   - inNewSession: out of reach of the terminal's signals.
    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil, inNewSession: Bool = false
    ) throws {
        let (inputRead, inputWrite) = makePipe()
        let (outputRead, outputWrite) = makePipe()
        let (errorRead, errorWrite) = makePipe()
        defer { for descriptor in [inputRead, outputWrite, errorWrite] { close(descriptor) } }
        var pid: pid_t = 0
        let failure = spawn(
            path, arguments, environment, [inputRead, outputWrite, errorWrite], inNewSession: inNewSession, &pid)
        guard failure == 0 else {
            for descriptor in [inputWrite, outputRead, errorRead] { close(descriptor) }
            throw ChildProcessError(text: "\(path): \(String(cString: strerror(failure)))")
        }
        self.pid = pid
        self.input = Mutex(inputWrite)
        self.output = PipeReader(outputRead)
        self.error = PipeReader(errorRead)
    }

    deinit {
        self.closeInput()
        if self.status.withLock({ $0 == nil }) {
            kill(self.pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(self.pid, &status, 0) == -1 && errno == EINTR {}
        }
    }

    /// What it has written so far; all of it once `wait` has returned.
    package var standardOutput: String { self.output.text }
    package var standardError: String { self.error.text }

    /// Writes to its standard input; blocks while the pipe is full.
    package func write(_ text: String) {
        self.input.withLock { input in
            guard let input else { return }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    package func closeInput() {
        self.input.withLock { input in
            if let open = input { close(open) }
            input = nil
        }
    }

    /// Sends `number` unless it has been reaped.
    package func signal(_ number: Int32) { self.status.withLock { if $0 == nil { kill(self.pid, number) } } }

    package var isRunning: Bool { self.reap() == nil }

    /// Its exit code, or minus the signal that ended it; nil when it still runs at the deadline.
    package func wait(deadline: Duration = .seconds(20)) -> Int32? {
        guard waitUntil(deadline: deadline, condition: { !self.isRunning }), let status = self.reap() else {
            return nil
        }
        // A grandchild may keep the pipes open for ever: its output is not awaited for long.
        waitUntil(deadline: .seconds(2)) { self.output.isComplete && self.error.isComplete }
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }

    private func reap() -> Int32? {
        self.status.withLock { known in
            if known == nil {
                var status: Int32 = 0
                if waitpid(self.pid, &status, WNOHANG) == self.pid { known = status }
            }
            return known
        }
    }
}
