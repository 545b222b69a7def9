import COpenSSL
import Glibc

@testable import HTTPFrontEnd

/// A blocking TLS client over a `TestClient`'s socket; it trusts anybody and shows whom it met.
final class TestTLSClient {
    private let client: TestClient
    private let context: OpaquePointer
    private let ssl: OpaquePointer

    init(_ address: SocketAddress, protocols: [String] = [], maxVersion: Int32 = 0) throws {
        self.client = try TestClient(address)
        self.context = SSL_CTX_new(TLS_client_method())
        self.ssl = SSL_new(self.context)
        SSL_set_fd(self.ssl, self.client.descriptor)
        if maxVersion != 0 {
            _ = SSL_ctrl(self.ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(maxVersion), nil)
            _ = SSL_ctrl(self.ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(maxVersion), nil)
        }
        if !protocols.isEmpty {
            let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            SSL_set_alpn_protos(self.ssl, list, UInt32(list.count))
        }
        guard SSL_connect(self.ssl) == 1 else { throw TestClient.Failure(description: "no handshake") }
    }

    deinit {
        SSL_free(self.ssl)
        SSL_CTX_free(self.context)
    }

    /// The server certificate's subject.
    var peerName: String {
        guard let certificate = SSL_get1_peer_certificate(self.ssl) else { return "" }
        defer { X509_free(certificate) }
        var name = [CChar](repeating: 0, count: 256)
        X509_NAME_oneline(X509_get_subject_name(certificate), &name, Int32(name.count))
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var chosenProtocol: String {
        var bytes: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(self.ssl, &bytes, &length)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
    }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard SSL_write(self.ssl, bytes, Int32(bytes.count)) == Int32(bytes.count) else {
            throw TestClient.Failure(description: "SSL_write")
        }
    }

    /// Until so many bytes came, or close_notify.
    func receive(max: Int = .max) throws -> String {
        var received: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while received.count < max {
            let count = SSL_read(self.ssl, &bytes, Int32(bytes.count))
            if count <= 0 {
                guard SSL_get_error(self.ssl, count) == SSL_ERROR_ZERO_RETURN else {
                    throw TestClient.Failure(description: "ended without close_notify")
                }
                break
            }
            received += bytes[..<Int(count)]
        }
        return TestClient.withoutDates(String(decoding: received, as: UTF8.self))
    }
}
