import HTTPFrontEnd

/// One request of a dialect, its body read.
struct DialectCall: Sendable {
    let services: HubServices
    let authenticator: Authenticator
    let jwtKeys: JWTKeyCache
    let request: HTTPRequest
    /// Empty when it could not be read.
    var body: [UInt8] = []
    /// The path's named segments, decoded.
    let parameters: PathParameters
    /// UNIX nanoseconds.
    let receivedAt: UInt64
}
