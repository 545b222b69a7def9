import CommandLineOptions
import Glibc

/// The load generator's command line: `ackhub-bench COMMAND`, one file a command in `Commands`.
@main
enum AckhubBench {
    static func main() {
        // OpenSSL writes without MSG_NOSIGNAL: a server that goes away is a failed write, not a signal.
        signal(SIGPIPE, SIG_IGN)
        exit(BenchCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
