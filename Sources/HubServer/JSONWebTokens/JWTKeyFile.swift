import COpenSSL
package import EventStore

/// Reads what an operator hands over as the key of JSON Web Tokens.
package enum JWTKeyFile {
    package static let bytesMax = 64 << 10

    /// The key's material: of HS256 the file's bytes without the newline at their end, else the public key of a PEM or
    /// DER file as DER of its SubjectPublicKeyInfo. A private key is refused: it has no business here.
    package static func material(of file: [UInt8], for algorithm: JWTAlgorithm) throws(JWTKeyError) -> [UInt8] {
        let material = algorithm == .hs256 ? try Self.secret(file) : try Self.publicKey(file)
        _ = try JWTVerifyingKey(JWTKey(account: 1, id: "new", algorithm: algorithm, material: material))
        return material
    }

    private static func secret(_ file: [UInt8]) throws(JWTKeyError) -> [UInt8] {
        // Signing by a MAC with a public key, which everybody has, is the classic confusion.
        defer { ERR_clear_error() }
        let publicKey = JWTVerifyingKey.readDER(file)
        defer { EVP_PKEY_free(publicKey) }
        guard !file.contains(Self.pemBegin), publicKey == nil, !Self.isPrivateKey(file) else {
            throw JWTKeyError("a key file, but the secret of HS256 is bytes that both sides share")
        }
        var secret = file
        if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
        if secret.count == file.count - 1, secret.last == UInt8(ascii: "\r") { secret.removeLast() }
        return secret
    }

    private static func publicKey(_ file: [UInt8]) throws(JWTKeyError) -> [UInt8] {
        defer { ERR_clear_error() }
        guard !Self.isPrivateKey(file) else {
            throw JWTKeyError("a private key; give its public half (openssl pkey -in FILE -pubout)")
        }
        guard let key = file.contains(Self.pemBegin) ? Self.readPEM(file) : JWTVerifyingKey.readDER(file) else {
            throw JWTKeyError("not a public key in PEM or DER (SubjectPublicKeyInfo)")
        }
        defer { EVP_PKEY_free(key) }
        var output: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &output)
        guard count > 0, let output else { throw JWTKeyError("OpenSSL can't write the public key") }
        defer { CRYPTO_free(output, #file, #line) }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }

    private static let pemBegin = Array("-----BEGIN ".utf8)
    private static let pemPrivate = Array("PRIVATE KEY-----".utf8)

    private static func isPrivateKey(_ file: [UInt8]) -> Bool {
        if file.contains(Self.pemBegin) { return file.contains(Self.pemPrivate) }
        return file.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            let key = d2i_AutoPrivateKey(nil, &position, buffer.count)
            EVP_PKEY_free(key)
            return key != nil
        }
    }

    private static func readPEM(_ file: [UInt8]) -> OpaquePointer? {
        guard let source = BIO_new_mem_buf(file, Int32(file.count)) else { return nil }
        defer { BIO_free(source) }
        return PEM_read_bio_PUBKEY(source, nil, nil, nil)
    }
}
