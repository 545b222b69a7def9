import CommandLineOptions
import Glibc

/// The command line: `ackhub COMMAND`, one file a command in `Commands`.
@main
enum Ackhub {
    static func main() {
        // A reader that goes away early is a failed write with its errno, not a signal.
        signal(SIGPIPE, SIG_IGN)
        exit(CommandTable.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
