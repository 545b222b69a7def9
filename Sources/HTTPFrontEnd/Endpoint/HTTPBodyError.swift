/// Why a body can't be read to its end, or a response not written to its.
package enum HTTPBodyError: Error, Sendable {
    /// More than the caller allows.
    case tooLarge
    /// The client went away.
    case disconnected
    /// The client sent too slowly.
    case timeout
    /// The framing is broken.
    case malformed
}
