import HubLinks

/// The writers of one request, one for each style of links. Used by one task at a time: it owns OpenSSL contexts.
final class LinkWriters {
    private var keyRing: KeyRing
    private let publicURL: String
    private let defaultStyle: LinkStyle
    private var path: LinkWriter?
    private var cryptoPostEvents: LinkWriter?

    init(_ services: HubServices) {
        self.keyRing = services.keyRing
        self.publicURL = services.configuration.publicURL
        self.defaultStyle = services.configuration.linkStyle
    }

    /// Makes further links with this ring, which may have been reloaded.
    func use(_ keyRing: KeyRing) {
        guard keyRing.entries != self.keyRing.entries else { return }
        self.keyRing = keyRing
        self.path = nil
        self.cryptoPostEvents = nil
    }

    /// - Parameter style: nil = the hub's configured style.
    func writer(_ style: LinkStyle?) throws(KeyRingError) -> LinkWriter {
        switch style ?? self.defaultStyle {
        case .path:
            if let writer = self.path { return writer }
            let writer = try self.makeWriter(.path)
            self.path = writer
            return writer
        case .cryptoPostEvents:
            if let writer = self.cryptoPostEvents { return writer }
            let writer = try self.makeWriter(.cryptoPostEvents)
            self.cryptoPostEvents = writer
            return writer
        }
    }

    private func makeWriter(_ style: LinkStyle) throws(KeyRingError) -> LinkWriter {
        LinkWriter(try LinkMinter(keyRing: self.keyRing, publicURL: self.publicURL, style: style))
    }
}
