import COpenSSL
package import EventStore

/// A key that OpenSSL has accepted, for the one algorithm that it was added for.
///
/// `@unchecked Sendable`: an `EVP_PKEY` is not changed after `init`, and OpenSSL lets any number of threads verify with
/// one, each in a context of its own.
package final class JWTVerifyingKey: @unchecked Sendable {
    /// HS256: RFC 7518 section 3.2 asks for a key no smaller than the hash.
    package static let secretBytes = 32...1_024
    /// RS256: RFC 7518 section 3.3. The upper end bounds what one signature costs to check.
    static let modulusBits = 2_048...8_192

    let id: String
    let algorithm: JWTAlgorithm
    let audience: String?
    let issuer: String?
    /// An `EVP_PKEY`.
    private let pointer: OpaquePointer

    package init(_ key: JWTKey) throws(JWTKeyError) {
        self.id = key.id
        self.algorithm = key.algorithm
        self.audience = key.audience
        self.issuer = key.issuer
        defer { ERR_clear_error() }
        switch key.algorithm {
        case .hs256: self.pointer = try Self.secret(key.material)
        case .rs256, .es256: self.pointer = try Self.publicKey(key.material, key.algorithm)
        }
    }

    deinit { EVP_PKEY_free(self.pointer) }

    private static func secret(_ bytes: [UInt8]) throws(JWTKeyError) -> OpaquePointer {
        guard Self.secretBytes.contains(bytes.count) else {
            throw JWTKeyError(
                "an HS256 secret has \(Self.secretBytes.lowerBound) to \(Self.secretBytes.upperBound) bytes, not "
                    + "\(bytes.count)")
        }
        guard let pointer = EVP_PKEY_new_raw_private_key(EVP_PKEY_HMAC, nil, bytes, bytes.count) else {
            throw JWTKeyError("OpenSSL refused the secret")
        }
        return pointer
    }

    private static func publicKey(_ bytes: [UInt8], _ algorithm: JWTAlgorithm) throws(JWTKeyError) -> OpaquePointer {
        guard let pointer = Self.readDER(bytes) else { throw JWTKeyError("not a public key (SubjectPublicKeyInfo)") }
        do throws(JWTKeyError) {
            try Self.require(pointer, for: algorithm)
        } catch {
            EVP_PKEY_free(pointer)
            throw error
        }
        return pointer
    }

    /// An `EVP_PKEY` for the caller to free; nil when the bytes are no SubjectPublicKeyInfo, or more than one.
    static func readDER(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = start
            guard let pointer = d2i_PUBKEY(nil, &position, buffer.count) else { return nil }
            if position == start + buffer.count { return pointer }
            EVP_PKEY_free(pointer)
            return nil
        }
    }

    private static func require(_ pointer: OpaquePointer, for algorithm: JWTAlgorithm) throws(JWTKeyError) {
        if algorithm == .rs256 {
            // RSA-PSS keys are a type of their own in OpenSSL, and no keys for RS256.
            guard EVP_PKEY_is_a(pointer, "RSA") == 1 else { throw JWTKeyError("RS256 needs an RSA key") }
            let bits = Int(EVP_PKEY_get_bits(pointer))
            guard Self.modulusBits.contains(bits) else {
                throw JWTKeyError(
                    "an RS256 key has \(Self.modulusBits.lowerBound) to \(Self.modulusBits.upperBound) bits, not \(bits)"
                )
            }
        } else {
            guard EVP_PKEY_is_a(pointer, "EC") == 1, Self.curve(of: pointer) == "prime256v1" else {
                throw JWTKeyError("ES256 needs a key of the curve P-256")
            }
        }
        guard let context = EVP_PKEY_CTX_new(pointer, nil) else { throw JWTKeyError("OpenSSL refused the key") }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_public_check(context) == 1 else { throw JWTKeyError("the public key's numbers are wrong") }
    }

    private static func curve(of pointer: OpaquePointer) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Checking

    /// Whether this key made `signature` over `bytes`.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        // A wrong signature leaves its reason on the thread's error queue, where the next call would find it.
        defer { ERR_clear_error() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        switch self.algorithm {
        case .hs256: return self.isMAC(signature, of: bytes, context)
        case .rs256: return self.verify(signature, of: bytes, context)
        case .es256: return ECDSASignature.der(ofJWS: signature).map { self.verify($0, of: bytes, context) } ?? false
        }
    }

    private func verify(_ signature: [UInt8], of bytes: [UInt8], _ context: OpaquePointer) -> Bool {
        EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, self.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }

    private func isMAC(_ mac: [UInt8], of bytes: [UInt8], _ context: OpaquePointer) -> Bool {
        var expected = [UInt8](repeating: 0, count: 32)
        var count = expected.count
        guard mac.count == expected.count,
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, self.pointer) == 1,
            EVP_DigestSign(context, &expected, &count, bytes, bytes.count) == 1, count == expected.count
        else { return false }
        // Constant time: the first differing byte must not show.
        return CRYPTO_memcmp(expected, mac, count) == 0
    }
}

/// Why a key can't be used; holds nothing of the key.
package struct JWTKeyError: Error, Sendable, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
