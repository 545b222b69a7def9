import CommandLineOptions
import Glibc

/// SIGINT and SIGTERM, put off while something is to be cleaned up before they end the process.
enum StopSignals {
    /// Runs `body` with both signals blocked in this thread and in those that it starts meanwhile. One that came then does
    /// what it does by default when `body` has returned or thrown: it ends the process.
    static func putOff<Result>(during body: () throws -> Result) rethrows -> Result {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }

    /// To be called within `putOff` as often as a person can wait.
    ///
    /// - Throws: when one of them waits.
    static func check() throws(CommandError) {
        var pending = sigset_t()
        sigpending(&pending)
        guard sigismember(&pending, SIGINT) != 1, sigismember(&pending, SIGTERM) != 1 else {
            throw CommandError("told to stop")
        }
    }
}
