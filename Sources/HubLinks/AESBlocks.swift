import COpenSSL

/// OpenSSL's AES over whole blocks, in place, with a context that is keyed once: ECB, or CBC from a zero vector.
///
/// CBC goes on where the call before ended: the first block is XORed with the last one that was returned. Setting the
/// vector anew would cost more than the encryption of a token (OpenSSL 3.0: 790 instructions against 470 for four blocks).
/// One a thread: the context is used without a lock.
final class AESBlocks {
    enum Mode: String {
        case ecb = "ECB"
        case cbc = "CBC"
    }

    static let blockBytes = 16

    private let context: OpaquePointer

    /// The key is 16, 24 or 32 bytes.
    init(_ mode: Mode, key: UnsafeRawBufferPointer) throws(KeyRingError) {
        let name = "AES-\(key.count * 8)-\(mode.rawValue)"
        guard let algorithm = EVP_CIPHER_fetch(nil, name, nil) else { throw Self.refused(name) }
        defer { EVP_CIPHER_free(algorithm) }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.refused(name) }
        let vector = [UInt8](repeating: 0, count: Self.blockBytes)
        let keyBytes = key.bindMemory(to: UInt8.self).baseAddress
        guard EVP_EncryptInit_ex2(context, algorithm, keyBytes, mode == .cbc ? vector : nil, nil) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else {
            EVP_CIPHER_CTX_free(context)
            throw Self.refused(name)
        }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(self.context) }

    /// Encrypts the first `count` bytes, a multiple of ``blockBytes``.
    func encrypt(_ blocks: UnsafeMutableRawPointer, count: Int) {
        let bytes = blocks.assumingMemoryBound(to: UInt8.self)
        var encrypted: Int32 = 0
        let isGood = EVP_EncryptUpdate(self.context, bytes, &encrypted, bytes, Int32(count)) == 1
        // Not a matter of input: OpenSSL itself fails, and a token must not leave as it is.
        precondition(isGood && encrypted == count, "OpenSSL refused AES")
    }

    private static func refused(_ what: String) -> KeyRingError { KeyRingError(.crypto, "OpenSSL refused \(what).") }
}
