/// How a JSON Web Token is signed (RFC 7518 section 3.1): the ones that are supported, and `none` is not among them.
package enum JWTAlgorithm: String, CaseIterable, Sendable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    case es256 = "ES256"
}
