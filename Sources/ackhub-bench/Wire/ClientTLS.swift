import COpenSSL
import CommandLineOptions
import HTTPFrontEnd

/// Makes the client's TLS sessions. One a thread.
///
/// Every connection shakes hands in full: no session is resumed, as for phones that call for the first time.
final class ClientTLS {
    private let context: OpaquePointer
    private let host: String
    private let isNumeric: Bool
    private let verifies: Bool

    /// - Parameter verifies: whether the server's certificate must be the host's and lead to a root that this machine
    ///   trusts.
    init(_ url: LoadURL, verifies: Bool) throws(CommandError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw CommandError("OpenSSL has no TLS context") }
        self.context = context
        self.host = url.host.filter { $0 != "[" && $0 != "]" }
        self.isNumeric = url.host != "localhost"
        self.verifies = verifies
        copenssl_ctx_set_min_proto_version(context, TLS1_2_VERSION)
        copenssl_ctx_set_connection_modes(context)
        guard verifies else { return }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard SSL_CTX_set_default_verify_paths(context) == 1 else {
            throw CommandError("OpenSSL finds no trusted certificates")
        }
    }

    deinit { SSL_CTX_free(self.context) }

    /// A session on a connected or connecting socket; nil when memory is out.
    func makeSession(_ descriptor: Int32) -> TLSSession? {
        ERR_clear_error()
        guard let ssl = SSL_new(self.context) else { return nil }
        let session = TLSSession(ssl)
        guard SSL_set_fd(ssl, descriptor) == 1 else { return nil }
        SSL_set_connect_state(ssl)
        if self.isNumeric {
            // RFC 6066 section 3: an address is no server name.
            if self.verifies {
                guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), self.host) == 1 else { return nil }
            }
        } else {
            guard copenssl_set_server_name(ssl, self.host) == 1 else { return nil }
            if self.verifies { guard SSL_set1_host(ssl, self.host) == 1 else { return nil } }
        }
        return session
    }
}
