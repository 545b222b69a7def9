import COpenSSL

/// AES-SIV (RFC 5297), composed of OpenSSL's CMAC and AES-CTR, for one key and one list of associated data.
///
/// OpenSSL's own AES-SIV context must be keyed or copied anew for each token; here the associated data's share of S2V is
/// computed once, and per token a CMAC and a CTR context that stay keyed are only reset. The key is 32, 48 or 64 bytes:
/// the first half keys S2V, the second CTR.
///
/// One a thread: the contexts are used without a lock.
final class AESSIV {
    static let tagBytes = 16

    private let mac: OpaquePointer
    private let cipher: OpaquePointer
    /// S2V's chain after all associated data.
    private let associatedShare: UInt128

    init(key: UnsafeRawBufferPointer, associatedData: [[UInt8]]) throws(KeyRingError) {
        precondition([32, 48, 64].contains(key.count), "an AES-SIV key is 256, 384 or 512 bits")
        let half = key.count / 2
        let mac = try Self.makeMAC(UnsafeRawBufferPointer(rebasing: key[..<half]))
        var isMACOwned = false
        defer { if !isMACOwned { EVP_MAC_CTX_free(mac) } }
        let cipher = try Self.makeCipher(UnsafeRawBufferPointer(rebasing: key[half...]))
        var isCipherOwned = false
        defer { if !isCipherOwned { EVP_CIPHER_CTX_free(cipher) } }

        let zero = [UInt8](repeating: 0, count: 16)
        guard let first = Self.cmac(mac, zero) else { throw Self.refused("CMAC") }
        var share = first
        for data in associatedData {
            guard let next = Self.cmac(mac, data) else { throw Self.refused("CMAC") }
            share = Self.doubled(share) ^ next
        }
        // Some OpenSSL 3.0 releases did not reset a CMAC context that is initialised without a key.
        guard Self.cmac(mac, zero) == first else { throw Self.refused("reusing a CMAC context") }
        self.mac = mac
        self.cipher = cipher
        self.associatedShare = share
        isMACOwned = true
        isCipherOwned = true
    }

    deinit {
        EVP_MAC_CTX_free(self.mac)
        EVP_CIPHER_CTX_free(self.cipher)
    }

    /// Writes tag and ciphertext; `sealed` is ``tagBytes`` longer than the plaintext.
    func seal(_ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer) {
        precondition(sealed.count == plaintext.count + Self.tagBytes)
        let tag = self.tag(of: plaintext)
        sealed.storeBytes(of: tag.bigEndian, as: UInt128.self)
        self.crypt(plaintext, tag, into: UnsafeMutableRawBufferPointer(rebasing: sealed[Self.tagBytes...]))
    }

    /// Writes the plaintext and says whether it is authentic; wipes it when it is not.
    func open(_ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer) -> Bool {
        precondition(plaintext.count + Self.tagBytes == sealed.count)
        let tag = UInt128(bigEndian: sealed.loadUnaligned(as: UInt128.self))
        self.crypt(UnsafeRawBufferPointer(rebasing: sealed[Self.tagBytes...]), tag, into: plaintext)
        var expected = self.tag(of: UnsafeRawBufferPointer(plaintext)).bigEndian
        // Constant time: the first differing byte must not show.
        guard CRYPTO_memcmp(&expected, sealed.baseAddress, Self.tagBytes) == 0 else {
            OPENSSL_cleanse(plaintext.baseAddress, plaintext.count)
            return false
        }
        return true
    }

    // MARK: S2V and CTR

    /// RFC 5297 section 2.4: CMAC over the plaintext with the chain XORed into its end, or padded when it is short.
    private func tag(of plaintext: UnsafeRawBufferPointer) -> UInt128 {
        let bodyBytes = plaintext.count - 16
        var last: UInt128
        if bodyBytes >= 0 {
            last = plaintext.loadUnaligned(fromByteOffset: bodyBytes, as: UInt128.self) ^ self.associatedShare.bigEndian
        } else {
            var padded: UInt128 = 0
            for byte in plaintext { padded = padded << 8 | UInt128(byte) }
            padded = padded << 8 | 0x80
            padded <<= UInt128(8 * (15 - plaintext.count))
            last = (Self.doubled(self.associatedShare) ^ padded).bigEndian
        }
        var result: UInt128 = 0
        var resultBytes = 0
        let isGood =
            EVP_MAC_init(self.mac, nil, 0, nil) == 1
            && (bodyBytes <= 0
                || EVP_MAC_update(self.mac, plaintext.bindMemory(to: UInt8.self).baseAddress, bodyBytes) == 1)
            && withUnsafeBytes(of: &last) {
                EVP_MAC_update(self.mac, $0.bindMemory(to: UInt8.self).baseAddress, 16) == 1
            }
            && withUnsafeMutableBytes(of: &result) {
                EVP_MAC_final(self.mac, $0.bindMemory(to: UInt8.self).baseAddress, &resultBytes, 16) == 1
            }
        // Not a matter of input: OpenSSL itself fails, and a token without its tag must not leave.
        precondition(isGood && resultBytes == 16, "OpenSSL refused CMAC")
        return UInt128(bigEndian: result)
    }

    /// RFC 5297 section 2.5: CTR from the tag with bits 63 and 31 cleared, so that no counter carries across them.
    private func crypt(_ input: UnsafeRawBufferPointer, _ tag: UInt128, into output: UnsafeMutableRawBufferPointer) {
        var counter = (tag & ~(1 << 63 | 1 << 31)).bigEndian
        var count: Int32 = 0
        let isGood =
            withUnsafeBytes(of: &counter) {
                EVP_EncryptInit_ex2(self.cipher, nil, nil, $0.bindMemory(to: UInt8.self).baseAddress, nil) == 1
            }
            && EVP_EncryptUpdate(
                self.cipher, output.bindMemory(to: UInt8.self).baseAddress, &count,
                input.bindMemory(to: UInt8.self).baseAddress, Int32(input.count)) == 1
        precondition(isGood && count == input.count, "OpenSSL refused AES-CTR")
    }

    /// RFC 5297 section 2.3: multiplication by x in GF(2^128).
    private static func doubled(_ value: UInt128) -> UInt128 { value << 1 ^ (value >> 127 == 1 ? 0x87 : 0) }

    // MARK: Contexts

    private static func makeMAC(_ key: UnsafeRawBufferPointer) throws(KeyRingError) -> OpaquePointer {
        guard let algorithm = EVP_MAC_fetch(nil, "CMAC", nil) else { throw Self.refused("CMAC") }
        defer { EVP_MAC_free(algorithm) }
        guard let context = EVP_MAC_CTX_new(algorithm) else { throw Self.refused("CMAC") }
        var name = Array("AES-\(key.count * 8)-CBC".utf8CString)
        // The parameters point to both texts, which must live until they are read: a String given as an argument would not.
        let isKeyed = OSSL_MAC_PARAM_CIPHER.withCString { parameter in
            name.withUnsafeMutableBufferPointer { name in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(parameter, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(context, key.bindMemory(to: UInt8.self).baseAddress, key.count, parameters) == 1
            }
        }
        guard isKeyed else {
            EVP_MAC_CTX_free(context)
            throw Self.refused("CMAC")
        }
        return context
    }

    private static func makeCipher(_ key: UnsafeRawBufferPointer) throws(KeyRingError) -> OpaquePointer {
        guard let algorithm = EVP_CIPHER_fetch(nil, "AES-\(key.count * 8)-CTR", nil) else {
            throw Self.refused("AES-CTR")
        }
        defer { EVP_CIPHER_free(algorithm) }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.refused("AES-CTR") }
        let keyBytes = key.bindMemory(to: UInt8.self).baseAddress
        guard EVP_EncryptInit_ex2(context, algorithm, keyBytes, nil, nil) == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw Self.refused("AES-CTR")
        }
        return context
    }

    private static func cmac(_ context: OpaquePointer, _ data: [UInt8]) -> UInt128? {
        var result: UInt128 = 0
        var count = 0
        let isGood =
            EVP_MAC_init(context, nil, 0, nil) == 1
            && EVP_MAC_update(context, data, data.count) == 1
            && withUnsafeMutableBytes(of: &result) {
                EVP_MAC_final(context, $0.bindMemory(to: UInt8.self).baseAddress, &count, 16) == 1
            }
        return isGood && count == 16 ? UInt128(bigEndian: result) : nil
    }

    private static func refused(_ what: String) -> KeyRingError { KeyRingError(.crypto, "OpenSSL refused \(what).") }
}
