import HTTPFrontEnd
import HubLinks

extension HubConfiguration {
    static let variablePrefix = "ACKHUB_"

    /// Every setting, in the order in which people read them.
    package static let settings: [Setting] = Self.mainSettings + Self.storageSettings + Self.limitSettings

    private static let mainSettings: [Setting] = [
        Setting(
            "listen", default: "0.0.0.0:8080", unit: "address list",
            "Addresses of the public listener: device links and the API.",
            SettingReaders.addresses(\.listen)),
        Setting(
            "admin-listen", default: "127.0.0.1:8081", unit: "address list",
            "Addresses of /metrics, /healthz and /readyz; keep them off the public network.",
            SettingReaders.addresses(\.adminListen)),
        Setting(
            "public-url", default: nil, unit: "URL",
            "What every link begins with: scheme, host, optional port and path.",
            SettingReaders.publicURL),
        Setting(
            "link-style", default: LinkStyle.path.rawValue, unit: "word",
            "How links are written: path or crypto_post_events; both are always read."
        ) { text, configuration in
            guard let style = LinkStyle(rawValue: text) else { return "must be path or crypto_post_events" }
            configuration.linkStyle = style
            return nil
        },
        Setting(
            "keys-file", default: nil, unit: "path",
            "The key ring, mode 0600; SIGHUP reads it again.",
            SettingReaders.path(\.keysFile)),
        Setting(
            "link-ttl-days", default: "90", unit: "days",
            "How long after its send time a link counts; later hits get 410.",
            SettingReaders.integer(\.linkTTLDays, 1...36_500)),
        Setting(
            "trusted-proxies", default: "", unit: "CIDR list",
            "Peers whose X-Forwarded-For or Forwarded is believed.",
            SettingReaders.ranges),
        Setting(
            "pushwoosh-apps", default: "", unit: "list of code=account",
            "Pushwoosh application codes that may report events, each with its account; without any, every code may.",
            PushwooshApplications.read),
        Setting(
            "tls-cert", default: nil, unit: "path",
            "PEM certificate chain of the public listener; needs tls-key. SIGHUP reads it again.",
            SettingReaders.optionalPath(\.tlsCertificateFile)),
        Setting(
            "tls-key", default: nil, unit: "path",
            "PEM private key of the certificate.",
            SettingReaders.optionalPath(\.tlsKeyFile)),
        Setting(
            "loops", default: "cores", unit: "count",
            "Event loops of the public listener, or the word cores."
        ) { text, configuration in
            let loops = text == "cores" ? SettingReaders.coreCount : Int(text)
            guard let loops, (1...1_024).contains(loops) else { return "must be cores or a number from 1 to 1024" }
            configuration.loopCount = loops
            return nil
        },
        Setting(
            "drain-seconds", default: "10", unit: "seconds",
            "How long a stopping hub answers what is in flight and loads what is spooled.",
            SettingReaders.integer(\.drainSeconds, 0...3_600)),
        Setting(
            "log-level", default: Log.Level.info.rawValue, unit: "word",
            "The least level that is logged: debug, info, warning or error."
        ) { text, configuration in
            guard let level = Log.Level(rawValue: text) else { return "must be debug, info, warning or error" }
            configuration.logLevel = level
            return nil
        },
    ]

    private static let storageSettings: [Setting] = [
        Setting(
            "spool-dir", default: nil, unit: "path",
            "The folder of the durable log; one hub each. Losing it loses what was not loaded.",
            SettingReaders.path(\.spoolDirectory)),
        Setting(
            "spool-max-bytes", default: "4GiB", unit: "bytes",
            "How much may wait for PostgreSQL before devices get 503.",
            SettingReaders.byteCount(\.spoolBytesMax, (1 << 20)...(1 << 50))),
        Setting(
            "database-url", default: nil, unit: "URL", secret: true,
            "PostgreSQL as libpq reads it: a URL or keywords, several hosts allowed.",
            SettingReaders.databaseURL),
        Setting(
            "database-pool", default: "4", unit: "connections",
            "Connections for the API, beside the loader's one.",
            SettingReaders.integer(\.databasePoolConnections, 1...1_000)),
        Setting(
            "loader-batch-records", default: "20000", unit: "records",
            "The most records that one transaction loads.",
            SettingReaders.integer(\.loaderBatchRecordsMax, 1...1_000_000)),
    ]

    private static let limitSettings: [Setting] = [
        Setting(
            "max-connections", default: "100000", unit: "connections",
            "Open connections of the public listener; further ones are closed.",
            SettingReaders.integer(\.limits.connectionsMax, 1...10_000_000)),
        Setting(
            "max-requests-per-connection", default: "0", unit: "requests",
            "After so many a connection is closed; 0 is without limit.",
            SettingReaders.integer(\.limits.requestsPerConnectionMax, 0...1_000_000_000)),
        Setting(
            "max-request-line-bytes", default: "8192", unit: "bytes",
            "A longer request line gets 414.",
            SettingReaders.byteCount(\.limits.requestLineBytesMax, 512...(1 << 20))),
        Setting(
            "max-header-bytes", default: "32768", unit: "bytes",
            "More bytes of header fields get 431.",
            SettingReaders.byteCount(\.limits.headerBytesMax, 1_024...(1 << 20))),
        Setting(
            "max-headers", default: "100", unit: "fields",
            "More header fields get 431.",
            SettingReaders.integer(\.limits.headerCountMax, 8...10_000)),
        Setting(
            "max-body-bytes", default: "8MiB", unit: "bytes",
            "A larger JSON body gets 413; NDJSON streams without limit.",
            SettingReaders.byteCount(\.limits.bodyBytesMax, 1_024...(1 << 30))),
        Setting(
            "idle-timeout-seconds", default: "75", unit: "seconds",
            "A connection without a request is closed after this.",
            SettingReaders.integer(\.limits.idleTimeoutSeconds, 1...86_400)),
        Setting(
            "header-timeout-seconds", default: "10", unit: "seconds",
            "A request head that is not whole by then gets 408.",
            SettingReaders.integer(\.limits.headerTimeoutSeconds, 1...3_600)),
        Setting(
            "body-timeout-seconds", default: "30", unit: "seconds",
            "A request body that stands still so long gets 408.",
            SettingReaders.integer(\.limits.bodyTimeoutSeconds, 1...3_600)),
        Setting(
            "write-timeout-seconds", default: "30", unit: "seconds",
            "A peer that takes nothing for so long is cut off.",
            SettingReaders.integer(\.limits.writeTimeoutSeconds, 1...3_600)),
    ]
}
