import COpenSSL
import Glibc

/// SHA-256 through OpenSSL, one context a thread.
///
/// The digest is fetched once a process: an implicit fetch costs several times the hash of a short body. The context
/// belongs to the thread that made it and is freed when the thread ends. OpenSSL 3.0 still allocates its inner state, some
/// hundred bytes, at every start: the one allocation of a message key.
enum SHA256 {
    /// The first 16 of the hash's 32 bytes, as a big-endian number.
    static func first128Bits(_ bytes: Span<UInt8>) -> UInt128 {
        let context = Self.threadContext()
        var hash = InlineArray<32, UInt8>(repeating: 0)
        var isGood = EVP_DigestInit_ex(context, Self.digest, nil) == 1
        bytes.withUnsafeBufferPointer { buffer in
            isGood = isGood && EVP_DigestUpdate(context, buffer.baseAddress, buffer.count) == 1
        }
        var output = hash.mutableSpan
        output.withUnsafeMutableBufferPointer { buffer in
            isGood = isGood && EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1
        }
        // Only exhausted memory makes these fail, and a wrong key would merge two messages.
        precondition(isGood, "OpenSSL refused SHA-256")
        var value: UInt128 = 0
        for index in 0..<16 { value = value << 8 | UInt128(hash[index]) }
        return value
    }

    // Immutable after its one initialisation; OpenSSL's fetched digests may be used by all threads at once.
    nonisolated(unsafe) private static let digest: OpaquePointer = {
        guard let digest = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("OpenSSL has no SHA-256") }
        return digest
    }()

    private static let contextKey: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { context in EVP_MD_CTX_free(OpaquePointer(context)) }
        precondition(status == 0, "pthread_key_create failed")
        return key
    }()

    private static func threadContext() -> OpaquePointer {
        let key = Self.contextKey
        if let context = pthread_getspecific(key) { return OpaquePointer(context) }
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        let status = pthread_setspecific(key, UnsafeRawPointer(context))
        precondition(status == 0, "pthread_setspecific failed")
        return context
    }
}
