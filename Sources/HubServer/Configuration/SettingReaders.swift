import Glibc
import HTTPFrontEnd
import HubLinks
import Postgres

/// Readers of settings' texts: each puts the value where `place` says, or returns what is wrong.
enum SettingReaders {
    typealias Reader = @Sendable (String, inout HubConfiguration) -> String?

    static func integer(
        _ place: any WritableKeyPath<HubConfiguration, Int> & Sendable, _ range: ClosedRange<Int>
    ) -> Reader {
        { text, configuration in
            guard let value = Int(text), range.contains(value) else {
                return "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(quoted(text))"
            }
            configuration[keyPath: place] = value
            return nil
        }
    }

    static func path(_ place: any WritableKeyPath<HubConfiguration, String> & Sendable) -> Reader {
        { text, configuration in
            if let problem = pathProblem(text) { return problem }
            configuration[keyPath: place] = text
            return nil
        }
    }

    static func optionalPath(_ place: any WritableKeyPath<HubConfiguration, String?> & Sendable) -> Reader {
        { text, configuration in
            if let problem = pathProblem(text) { return problem }
            configuration[keyPath: place] = text
            return nil
        }
    }

    private static func pathProblem(_ text: String) -> String? {
        if text.isEmpty { return "must not be empty" }
        return text.utf8.contains(0) ? "a path can't hold a NUL byte" : nil
    }

    /// A string that libpq can't read would look like a database that is away for ever; an empty one is its defaults.
    static func databaseURL(_ text: String, _ configuration: inout HubConfiguration) -> String? {
        guard !text.isEmpty, PostgresConfiguration(connection: text).isReadable else {
            return "must be a PostgreSQL URL or keywords such as host=db dbname=ackhub"
        }
        configuration.databaseURL = text
        return nil
    }

    static func addresses(_ place: any WritableKeyPath<HubConfiguration, [SocketAddress]> & Sendable) -> Reader {
        { text, configuration in
            var addresses: [SocketAddress] = []
            for item in items(text) {
                guard let address = SocketAddress(text: item) else {
                    return "\(quoted(item)) is not an address like 0.0.0.0:8080, [::1]:8080 or :8080"
                }
                guard !addresses.contains(address) || address.port == 0 else {
                    return "\(quoted(item)) is listed twice"
                }
                addresses.append(address)
            }
            guard !addresses.isEmpty else { return "needs at least one address" }
            configuration[keyPath: place] = addresses
            return nil
        }
    }

    static func ranges(_ text: String, _ configuration: inout HubConfiguration) -> String? {
        var ranges: [CIDR] = []
        for item in items(text) {
            guard let range = CIDR(text: item) else {
                return "\(quoted(item)) is not an address range like 10.0.0.0/8 or fd00::/8"
            }
            ranges.append(range)
        }
        configuration.trustedProxies = ranges
        return nil
    }

    /// Bytes: `4294967296`, `4GiB`, `512 MiB`, `64KiB`.
    static func byteCount(_ text: String) -> UInt64? {
        var digits = text[...]
        var shift: UInt64 = 0
        for (suffix, bits) in [("KiB", UInt64(10)), ("MiB", 20), ("GiB", 30), ("TiB", 40)] where text.hasSuffix(suffix)
        {
            digits = text.dropLast(suffix.count)
            shift = bits
        }
        while digits.last == " " { digits.removeLast() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let count = UInt64(digits) else {
            return nil
        }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << shift)
        return overflow ? nil : bytes
    }

    static func byteCount(
        _ place: any WritableKeyPath<HubConfiguration, UInt64> & Sendable, _ range: ClosedRange<UInt64>
    ) -> Reader {
        { text, configuration in
            guard let value = byteCount(text), range.contains(value) else {
                return "must be bytes from \(range.lowerBound) to \(range.upperBound), plain or as KiB, MiB, GiB, not "
                    + quoted(text)
            }
            configuration[keyPath: place] = value
            return nil
        }
    }

    static func byteCount(
        _ place: any WritableKeyPath<HubConfiguration, Int> & Sendable, _ range: ClosedRange<UInt64>
    ) -> Reader {
        { text, configuration in
            guard let value = byteCount(text), range.contains(value) else {
                return "must be bytes from \(range.lowerBound) to \(range.upperBound), plain or as KiB, MiB, GiB, not "
                    + quoted(text)
            }
            configuration[keyPath: place] = Int(value)
            return nil
        }
    }

    /// What links can begin with; one slash at the end is dropped.
    static func publicURL(_ text: String, _ configuration: inout HubConfiguration) -> String? {
        let advice = "must be like https://hub.example.com or https://example.com/hub, not \(quoted(text))"
        let url = text.hasSuffix("/") ? String(text.dropLast()) : text
        if let problem = LinkMinter.problem(withPublicURL: url) { return "\(advice). \(problem)" }
        guard let scheme = url.firstRange(of: "://"), let host = hostOf(url[scheme.upperBound...].prefix { $0 != "/" }),
            !host.isEmpty
        else { return advice }
        configuration.publicURL = url
        return nil
    }

    /// The host of `host`, `host:port`, `[v6]`, `[v6]:port`; nil when the port is not one.
    private static func hostOf(_ authority: Substring) -> Substring? {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        if let port { guard let number = UInt16(port), number > 0 else { return nil } }
        return host
    }

    static func items(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
    }

    /// For problems: the value in quotes, cut to 80 characters. A password in it, meant for another setting, is hidden.
    static func quoted(_ value: String) -> String {
        let text = SecretMask.mask(value)
        return text.count > 80 ? "\"\(text.prefix(80))…\"" : "\"\(text)\""
    }

    /// The cores that this process may use.
    static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    func trimmingSpaces() -> String {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
