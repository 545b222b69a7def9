/// What the JSON Web Tokens of one account's apps are checked with.
package struct JWTKey: Sendable, Equatable {
    package var account: Int64
    /// The `kid` of the tokens' header, 1 to ``idBytesMax`` bytes.
    package var id: String
    package var algorithm: JWTAlgorithm
    /// The public key as DER of a SubjectPublicKeyInfo; of HS256 the shared secret.
    package var material: [UInt8]
    /// What a token's `aud` must contain; nil asks for nothing.
    package var audience: String?
    /// What a token's `iss` must be; nil asks for nothing.
    package var issuer: String?

    package static let idBytesMax = 128

    package init(
        account: Int64, id: String, algorithm: JWTAlgorithm, material: [UInt8], audience: String? = nil,
        issuer: String? = nil
    ) {
        self.account = account
        self.id = id
        self.algorithm = algorithm
        self.material = material
        self.audience = audience
        self.issuer = issuer
    }
}

/// Without the material: it may be a secret.
extension JWTKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(self.algorithm.rawValue) key \(self.id) of account \(self.account)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
