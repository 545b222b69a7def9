import COpenSSL
import Glibc

/// A certificate and its key, as new connections take them. Never changed once made: a new certificate is a new context.
// Sendable unchecked: OpenSSL counts the references of an SSL_CTX atomically and locks its session cache itself; nothing
// else is changed after init.
final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// Reads PEM files: the certificate with its chain, and its key.
    init(certificateFile: String, keyFile: String) throws(HTTPServerError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw Self.error("no TLS context") }
        self.context = context
        copenssl_ctx_set_min_proto_version(context, TLS1_2_VERSION)
        SSL_CTX_set_options(context, copenssl_op_no_renegotiation | copenssl_op_cipher_server_preference)
        copenssl_ctx_set_connection_modes(context)
        SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
        guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
            throw Self.error("certificate \(certificateFile)")
        }
        guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw Self.error("key \(keyFile)")
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw Self.error("key \(keyFile) does not belong to certificate \(certificateFile)")
        }
    }

    deinit { SSL_CTX_free(self.context) }

    /// A session on a non-blocking socket, nil when memory is out.
    func makeSession(_ descriptor: Int32) -> TLSSession? {
        ERR_clear_error()
        guard let ssl = SSL_new(self.context) else { return nil }
        let session = TLSSession(ssl)
        guard SSL_set_fd(ssl, descriptor) == 1 else { return nil }
        SSL_set_accept_state(ssl)
        return session
    }

    /// With OpenSSL's reasons, which name files and formats, no secret.
    private static func error(_ what: String) -> HTTPServerError {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            if let text = ERR_reason_error_string(code) { reasons.append(String(cString: text)) }
        }
        let detail = reasons.isEmpty ? what : "\(what): \(reasons.joined(separator: ", "))"
        return HTTPServerError(code: .tls, detail: detail)
    }
}

/// ALPN (RFC 7301): http/1.1 when it is offered; a client that offers only other protocols goes on without one.
private func selectProtocol(
    _ ssl: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ outLength: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let out, let outLength, let offered else { return SSL_TLSEXT_ERR_NOACK }
    let wanted = Array("http/1.1".utf8)
    var offset = 0
    while offset < Int(offeredLength) {
        let length = Int(offered[offset])
        guard offset + 1 + length <= Int(offeredLength) else { break }
        if length == wanted.count, (0..<length).allSatisfy({ offered[offset + 1 + $0] == wanted[$0] }) {
            out.pointee = offered + offset + 1
            outLength.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
        }
        offset += 1 + length
    }
    return SSL_TLSEXT_ERR_NOACK
}
