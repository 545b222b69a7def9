import HubLinks
import StrictJSON

/// What an endpoint that mints answers each line of an NDJSON request with.
protocol MintLine {
    /// Arrays and objects inside one another in a line.
    static var depthMax: Int { get }

    /// Counts the line's message and appends its answer, without the line feed; or tells why the line is refused, and then
    /// has counted and appended nothing.
    ///
    /// - Parameter index: The line's place in the request, from 0.
    mutating func answer(
        _ members: [JSONMember], index: UInt64, _ session: MintSession, to bytes: inout [UInt8],
        _ report: inout MintReport
    ) throws(KeyRingError) -> Problem?

    /// Told of every refused line, one that was not even read included.
    static func refused(_ problem: Problem, _ report: inout MintReport)
}

extension MintLine {
    static func refused(_ problem: Problem, _ report: inout MintReport) {}
}
