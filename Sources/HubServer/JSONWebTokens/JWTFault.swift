/// Why a JSON Web Token is refused.
enum JWTFault: Error, Sendable, Equatable {
    /// Too long, not three parts, not base64url, or a part that is no JSON object.
    case malformed
    /// None of those that are supported, or not the one of the key that the token names.
    case algorithm
    /// The header asks for an extension (`crit`, `b64`), and none is known here.
    case extended
    /// A time, audience or issuer of the wrong type.
    case claims
    /// The account has no key that could have signed it.
    case noKey
    case signature
    case expired
    case notYetValid
    case audience
    case issuer

    /// For people; holds nothing of the token.
    var detail: String {
        switch self {
        case .malformed: "The JSON Web Token is malformed."
        case .algorithm: "The JSON Web Token's algorithm is not accepted."
        case .extended: "The JSON Web Token asks for an extension that is not supported."
        case .claims: "A claim of the JSON Web Token has the wrong type."
        case .noKey: "No key of the message's account could have signed the JSON Web Token."
        case .signature: "The JSON Web Token's signature is wrong."
        case .expired: "The JSON Web Token is expired."
        case .notYetValid: "The JSON Web Token is not valid yet."
        case .audience: "The JSON Web Token is for another audience."
        case .issuer: "The JSON Web Token is of another issuer."
        }
    }
}
