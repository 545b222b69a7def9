/// Where and how a server listens.
package struct HTTPServerConfiguration: Sendable {
    /// Every loop listens on each of these.
    package var listen: [SocketAddress]
    /// Event loops, each a thread; as many as cores that the server may use.
    package var loopCount = 1
    package var limits = HTTPLimits()
    /// PEM files; both or none. With them every listener speaks TLS 1.2 or newer.
    package var tlsCertificateFile: String?
    package var tlsKeyFile: String?

    package init(listen: [SocketAddress]) { self.listen = listen }
}
