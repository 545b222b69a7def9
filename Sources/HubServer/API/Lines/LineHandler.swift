import StrictJSON

/// What an endpoint makes of the lines of an NDJSON request, a group at a time.
protocol LineHandler {
    /// Arrays and objects inside one another in a line.
    static var depthMax: Int { get }

    /// Takes the line into the present group and appends its answer, without the line feed; or tells why the line is
    /// refused, and then has taken and appended nothing.
    ///
    /// - Parameter index: The line's place in the request, from 0.
    mutating func answer(_ members: [JSONMember], index: UInt64, to bytes: inout [UInt8]) throws -> Problem?

    /// Told of every refused line, one that was not even read included.
    mutating func refused(_ problem: Problem)

    /// Whether the present group must end because of what its lines brought.
    var isGroupFull: Bool { get }

    /// Makes durable what the group's lines brought, before their answers are written, and begins the next group.
    mutating func keepGroup() async throws

    /// Called before further lines of the body are read: a stream may last for days.
    mutating func refresh()
}

extension LineHandler {
    var isGroupFull: Bool { false }
}
