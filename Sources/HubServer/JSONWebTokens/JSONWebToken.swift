import EventStore
import StrictJSON

/// A signed JSON Web Token (RFC 7519) in the compact form of RFC 7515, read but not believed yet: see `check(with:at:)`.
struct JSONWebToken: Sendable {
    /// Altcraft's Android SDK refuses longer ones; half of what the front end takes of all header fields.
    static let bytesMax = 16_383
    /// Objects in objects: claims are flat or nearly so.
    private static let depthMax = 16

    let algorithm: JWTAlgorithm
    /// The header's `kid`.
    let keyID: String?
    let claims: JSONValue
    let signature: [UInt8]
    /// Header and payload as they came, the dot between them: what the signature is over.
    let signedBytes: [UInt8]

    init(_ text: String) throws(JWTFault) {
        guard text.utf8.count <= Self.bytesMax else { throw .malformed }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed }
        let header = try Self.object(parts[0])
        self.algorithm = try Self.algorithm(of: header)
        switch header["kid"] {
        case nil: self.keyID = nil
        case .string(let id): self.keyID = id
        default: throw .malformed
        }
        self.claims = try Self.object(parts[1])
        guard let signature = Base64URL.decode(parts[2]) else { throw .malformed }
        self.signature = signature
        self.signedBytes = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    /// Duplicate names are refused: two readers would see two tokens (RFC 7515 section 4).
    private static func object(_ text: Substring.UTF8View) throws(JWTFault) -> JSONValue {
        guard let bytes = Base64URL.decode(text),
            let value = try? JSONValue(parsing: bytes.span.bytes, depthMax: Self.depthMax), case .object = value
        else { throw .malformed }
        return value
    }

    /// Names are case-sensitive. Keys that the header brings along (`jwk`, `jku`, `x5c`, `x5u`) are not looked at: whoever
    /// forges a token would bring theirs.
    private static func algorithm(of header: JSONValue) throws(JWTFault) -> JWTAlgorithm {
        // RFC 7515 section 4.1.11: who does not know an extension that is marked critical must refuse.
        guard header["crit"] == nil else { throw .extended }
        // RFC 7797: with false the signature would be over other bytes.
        guard header["b64"] == nil || header["b64"] == .bool(true) else { throw .extended }
        guard let name = header["alg"]?.text, let algorithm = JWTAlgorithm(rawValue: name) else { throw .algorithm }
        return algorithm
    }
}
