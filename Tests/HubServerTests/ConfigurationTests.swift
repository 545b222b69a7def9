import Foundation
import HTTPFrontEnd
import HubLinks
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct ConfigurationTests {
    private static let minimal = [
        "ACKHUB_PUBLIC_URL": "https://hub.example.com", "ACKHUB_DATABASE_URL": "postgres://hub:s3cret@db/ackhub",
        "ACKHUB_SPOOL_DIR": "/var/lib/ackhub", "ACKHUB_KEYS_FILE": "/etc/ackhub/keys.json",
    ]

    private func read(_ environment: [String: String], flags: [String: String] = [:]) throws -> HubConfiguration {
        try HubConfiguration.read(
            flags: flags, environment: environment, required: HubConfiguration.requiredToServe)
    }

    private func problems(_ changes: [String: String], flags: [String: String] = [:]) -> [String: String] {
        do {
            _ = try self.read(Self.minimal.merging(changes) { $1 }, flags: flags)
            return [:]
        } catch let error as HubConfigurationError {
            return Dictionary(error.problems.map { ($0.name, $0.detail) }, uniquingKeysWith: { "\($0); \($1)" })
        } catch { return ["?": "\(error)"] }
    }

    /// Defaults are those of the design.
    @Test func hasDefaults() throws {
        let configuration = try self.read(Self.minimal)
        #expect(configuration.listen.map(\.description) == ["0.0.0.0:8080"])
        #expect(configuration.adminListen.map(\.description) == ["127.0.0.1:8081"])
        #expect(configuration.linkStyle == .path)
        #expect(configuration.spoolBytesMax == 4 << 30)
        #expect(configuration.linkTTLDays == 90)
        #expect(configuration.drainSeconds == 10)
        #expect(configuration.trustedProxies.isEmpty)
        #expect(configuration.loopCount >= 1)
        #expect(configuration.logLevel == .info)
        let limits = HTTPLimits()
        #expect(configuration.limits.bodyBytesMax == limits.bodyBytesMax)
        #expect(configuration.limits.requestLineBytesMax == limits.requestLineBytesMax)
        #expect(configuration.limits.connectionsMax == limits.connectionsMax)
    }

    /// A flag beats a variable beats a default; an empty variable is none.
    @Test func prefersFlags() throws {
        let environment = Self.minimal.merging(["ACKHUB_LINK_TTL_DAYS": "30", "ACKHUB_DRAIN_SECONDS": ""]) { $1 }
        let configuration = try self.read(environment, flags: ["link-ttl-days": "7", "listen": ":0, [::1]:8090"])
        #expect(configuration.linkTTLDays == 7)
        #expect(configuration.drainSeconds == 10)
        #expect(configuration.listen.count == 2)
        #expect(try self.read(environment).linkTTLDays == 30)
    }

    /// All problems come at once, each by the name that was written.
    @Test func reportsAllProblemsAtOnce() {
        let found = self.problems(
            [
                "ACKHUB_LISTEN": "nonsense", "ACKHUB_LINK_TTL_DAYS": "0", "ACKHUB_SPOOL_MAX_BYTES": "4 parsecs",
                "ACKHUB_TRUSTED_PROXIES": "10.0.0.0/8,everybody", "ACKHUB_TLS_CERT": "cert.pem",
                "ACKHUB_LOG_LEVEL": "loud",
                "ACKHUB_SPOOL_DIRECTORY": "/x", "ACKHUB_KEYS_FILE": "",
            ], flags: ["drain-seconds": "-1", "lisen": ":1"])
        #expect(
            found.keys.sorted() == [
                "--drain-seconds", "--lisen", "ACKHUB_KEYS_FILE", "ACKHUB_LINK_TTL_DAYS", "ACKHUB_LISTEN",
                "ACKHUB_LOG_LEVEL",
                "ACKHUB_SPOOL_DIRECTORY", "ACKHUB_SPOOL_MAX_BYTES", "ACKHUB_TLS_CERT", "ACKHUB_TRUSTED_PROXIES",
            ])
        #expect(found["--lisen"]?.contains("did you mean --listen?") == true)
        #expect(found["ACKHUB_SPOOL_DIRECTORY"]?.contains("did you mean ACKHUB_SPOOL_DIR?") == true)
    }

    /// Bad values are refused.
    @Test(arguments: [
        ("ACKHUB_PUBLIC_URL", "hub.example.com"), ("ACKHUB_PUBLIC_URL", "ftp://hub"), ("ACKHUB_PUBLIC_URL", "https://"),
        ("ACKHUB_PUBLIC_URL", "https://u:p@hub"), ("ACKHUB_PUBLIC_URL", "https://hub?x=1"),
        ("ACKHUB_PUBLIC_URL", "https://hub/a b"), ("ACKHUB_PUBLIC_URL", "https://hub#x"),
        ("ACKHUB_PUBLIC_URL", "https://hub:0"), ("ACKHUB_PUBLIC_URL", "https://hub:x"),
        ("ACKHUB_PUBLIC_URL", "https://[::1"), ("ACKHUB_PUBLIC_URL", "https://hub//"),
        ("ACKHUB_LINK_STYLE", "short"), ("ACKHUB_LOOPS", "0"), ("ACKHUB_LOOPS", "many"),
        ("ACKHUB_SPOOL_MAX_BYTES", "1KiB"), ("ACKHUB_SPOOL_MAX_BYTES", "99999999999TiB"),
        ("ACKHUB_SPOOL_MAX_BYTES", "4GB"), ("ACKHUB_SPOOL_MAX_BYTES", "-1"), ("ACKHUB_LISTEN", ","),
        ("ACKHUB_LISTEN", ":1,:1"), ("ACKHUB_IDLE_TIMEOUT_SECONDS", "1.5"), ("ACKHUB_MAX_HEADERS", "99999999"),
        ("ACKHUB_PUSHWOOSH_APPS", "12345-67890"), ("ACKHUB_PUSHWOOSH_APPS", "12345-67890=0"),
        ("ACKHUB_DATABASE_URL", "nonsense"), ("ACKHUB_DATABASE_URL", "host=db pasword=x"),
        ("ACKHUB_DATABASE_URL", "postgres://hub:s3cret@[::1/ackhub"),
    ])
    func refusesBadValues(name: String, value: String) {
        #expect(self.problems([name: value]).keys.sorted() == [name])
    }

    /// What no link could be minted with is refused at start, not at the first message.
    @Test(arguments: [
        "https://hub.example.com/v1", "https://hub.example.com/v1/x", "https://hub.example.com/a:b",
        "https://hub.example.com/%41", "https://hub;example",
        "https://hub.example.com/" + String(repeating: "a", count: 600),
    ])
    func refusesPublicURLsThatLinksCannotBear(value: String) {
        #expect(self.problems(["ACKHUB_PUBLIC_URL": value]).keys.sorted() == ["ACKHUB_PUBLIC_URL"])
    }

    /// An empty flag, as an unset shell variable leaves it, is a bad value and not a folder or database of no name.
    @Test(arguments: ["spool-dir", "keys-file", "tls-cert", "tls-key", "public-url", "database-url"])
    func refusesEmptyFlags(flag: String) {
        #expect(self.problems([:], flags: [flag: ""])["--\(flag)"] != nil)
    }

    /// A secret given as flag and as file is one too many, as with variables.
    @Test func refusesAFlagBesideItsFile() {
        let flags = ["database-url": "postgres://db/x", "database-url-file": "/x"]
        #expect(self.problems([:], flags: flags).keys.sorted() == ["--database-url-file"])
    }

    /// Good values are taken.
    @Test(arguments: [
        ("https://hub.example.com", "https://hub.example.com"), ("http://localhost:8080", "http://localhost:8080"),
        ("https://example.com/hub/", "https://example.com/hub"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
    ])
    func readsPublicURLs(value: String, expected: String) throws {
        #expect(try self.read(Self.minimal.merging(["ACKHUB_PUBLIC_URL": value]) { $1 }).publicURL == expected)
    }

    /// Bytes, plain and with binary suffixes.
    @Test(arguments: [
        ("4294967296", UInt64(4) << 30), ("4GiB", 4 << 30), ("512 MiB", 512 << 20), ("2048KiB", 2 << 20),
        ("1TiB", 1 << 40),
    ])
    func readsByteCounts(value: String, expected: UInt64) throws {
        #expect(try self.read(Self.minimal.merging(["ACKHUB_SPOOL_MAX_BYTES": value]) { $1 }).spoolBytesMax == expected)
    }

    /// A secret may lie in a file; then it must be there, and only there.
    @Test func readsSecretsFromFiles() throws {
        let folder = TemporaryFolder()
        try "postgres://hub:from-file@db/x\n".write(toFile: folder.file("url"), atomically: true, encoding: .utf8)
        var environment = Self.minimal
        environment["ACKHUB_DATABASE_URL"] = nil
        environment["ACKHUB_DATABASE_URL_FILE"] = folder.file("url")
        #expect(try self.read(environment).databaseURL == "postgres://hub:from-file@db/x")
        #expect(
            self.problems(["ACKHUB_DATABASE_URL_FILE": folder.file("url")]).keys.sorted() == [
                "ACKHUB_DATABASE_URL_FILE"
            ])
        environment["ACKHUB_DATABASE_URL_FILE"] = folder.file("none")
        #expect(throws: HubConfigurationError.self) { try self.read(environment) }
    }

    /// Secrets are hidden where values are shown; every value tells where it came from.
    @Test func showsEffectiveValues() throws {
        let configuration = try self.read(Self.minimal, flags: ["loops": "2"])
        let shown = Dictionary(uniqueKeysWithValues: configuration.effective.map { ($0.name, $0) })
        #expect(shown.count == HubConfiguration.settings.count)
        #expect(shown["database-url"]?.value == "postgres://hub:********@db/ackhub")
        #expect(shown["loops"]?.origin == .flag)
        #expect(shown["spool-dir"]?.origin == .environment)
        #expect(shown["drain-seconds"]?.origin == .default)
        #expect(shown["tls-cert"]?.origin == .unset)
        #expect(!"\(configuration.effective)".contains("s3cret"))
    }

    /// No problem repeats a secret.
    @Test func keepsSecretsOutOfProblems() {
        let misplaced = "postgres://hub:s3cret@db/x"
        let found = self.problems(
            ["ACKHUB_DATABASE_URL_FILE": "/x", "ACKHUB_LOOPS": "0"],
            flags: [
                "public-url": misplaced, "listen": misplaced, "trusted-proxies": misplaced,
                "spool-max-bytes": "password=s3cret", "drain-seconds": misplaced,
            ])
        #expect(found.count == 7)
        #expect(!"\(found)".contains("s3cret"))
    }

    /// The README shows the table of settings as it is.
    @Test func readmeShowsEverySetting() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(HubConfiguration.markdownTable), "README.md lacks:\n\(HubConfiguration.markdownTable)")
        for setting in HubConfiguration.settings { #expect(setting.help.hasSuffix(".")) }
        #expect(Set(HubConfiguration.settings.map(\.name)).count == HubConfiguration.settings.count)
    }
}
