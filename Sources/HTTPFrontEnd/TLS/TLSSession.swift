import COpenSSL
import Glibc

/// One connection's TLS, a server's or a client's: an SSL on the connection's own non-blocking socket. The loop's thread
/// only.
package final class TLSSession {
    package enum Handshake { case done, wouldBlock, failed }

    private let ssl: OpaquePointer

    /// Takes the SSL over.
    package init(_ ssl: OpaquePointer) { self.ssl = ssl }

    deinit { SSL_free(self.ssl) }

    package func handshake() -> Handshake {
        ERR_clear_error()
        let result = SSL_do_handshake(self.ssl)
        if result == 1 { return .done }
        switch SSL_get_error(self.ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
        default: return .failed
        }
    }

    package func read(into bytes: UnsafeMutableRawPointer, max: Int) -> IOResult {
        ERR_clear_error()
        var count = 0
        let result = SSL_read_ex(self.ssl, bytes, max, &count)
        return result == 1 ? .bytes(count) : self.outcome(result)
    }

    package func write(_ bytes: UnsafeRawPointer, _ count: Int) -> IOResult {
        ERR_clear_error()
        var written = 0
        let result = SSL_write_ex(self.ssl, bytes, count, &written)
        return result == 1 ? .bytes(written) : self.outcome(result)
    }

    /// Sends close_notify, once; does not wait for the peer's.
    package func shutDown() {
        guard SSL_is_init_finished(self.ssl) == 1, SSL_get_shutdown(self.ssl) & SSL_SENT_SHUTDOWN == 0 else { return }
        ERR_clear_error()
        SSL_shutdown(self.ssl)
        ERR_clear_error()
    }

    private func outcome(_ result: Int32) -> IOResult {
        switch SSL_get_error(self.ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .wouldBlock
        case SSL_ERROR_ZERO_RETURN: .ended
        default: .failed
        }
    }
}
