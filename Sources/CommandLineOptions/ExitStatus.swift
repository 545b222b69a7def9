/// What the process's exit status says.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The answer is no, or the work failed.
    case failure = 1
    /// The command line or a setting is wrong.
    case usage = 2
}

/// Why a command failed, in one sentence for people: exit status 1.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
