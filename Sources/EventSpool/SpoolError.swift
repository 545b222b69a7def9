/// Why a spool can't be opened or read.
package struct SpoolError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package var name: String

        /// Another process (or another `Spool` of this one) holds the directory.
        package static let inUse = Code(name: "in_use")
        /// A call on the directory or a file in it failed; `errno` says how.
        package static let unusable = Code(name: "unusable")
        /// The identity is unreadable, or missing beside segments: loading them under a new one would count them twice.
        package static let identityLost = Code(name: "identity_lost")
        /// A segment was written by a newer format.
        package static let versionUnknown = Code(name: "version_unknown")
        /// A reader asked for a position that the spool never reached: the directory is an old copy or was emptied.
        package static let positionAhead = Code(name: "position_ahead")
    }

    package var code: Code
    package var detail: String
    package var errno: Int32?

    package var description: String { self.detail }

    /// Whether the same call may succeed later without anybody's help.
    package var isRetriable: Bool { self.code == .unusable }

    init(_ code: Code, _ detail: String, errno: Int32? = nil) {
        self.code = code
        self.detail = detail
        self.errno = errno
    }

    init(_ failure: SystemCallError) {
        self.init(.unusable, "the spool can't be used: \(failure)", errno: failure.errno)
    }
}
