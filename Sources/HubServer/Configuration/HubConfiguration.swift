package import HTTPFrontEnd
package import HubLinks

/// Everything that `ackhub serve` and the other commands read from the environment and flags (design section 10).
///
/// `HubConfiguration.settings` is the one table from which names, defaults, checks, `--help`, `ackhub config` and the
/// README's table are made.
package struct HubConfiguration: Sendable {
    package var listen: [SocketAddress] = []
    package var adminListen: [SocketAddress] = []
    /// Scheme, host, optional port and path, no trailing slash.
    package var publicURL = ""
    package var linkStyle = LinkStyle.path
    /// A libpq URL or keyword string. A secret: it may hold a password.
    package var databaseURL = ""
    package var databasePoolConnections = 4
    package var spoolDirectory = ""
    package var spoolBytesMax: UInt64 = 4 << 30
    package var keysFile = ""
    package var tlsCertificateFile: String?
    package var tlsKeyFile: String?
    package var linkTTLDays = 90
    package var trustedProxies: [CIDR] = []
    var pushwooshApplications = PushwooshApplications()
    package var drainSeconds = 10
    package var loopCount = 1
    package var loaderBatchRecordsMax = 20_000
    package var logLevel = Log.Level.info
    package var limits = HTTPLimits()

    /// The values in the table's order with where each came from, secrets hidden (`ackhub config`).
    package var effective: [EffectiveSetting] = []

    package init() {}

    /// The settings without which `ackhub serve` does not start.
    package static let requiredToServe: Set<String> = ["public-url", "database-url", "spool-dir", "keys-file"]
}
