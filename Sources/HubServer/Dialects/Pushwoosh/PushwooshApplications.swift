/// `ACKHUB_PUSHWOOSH_APPS`: which Pushwoosh applications may report, and of which account each is.
struct PushwooshApplications: Sendable, Equatable {
    /// A code is `XXXXX-XXXXX`; an own naming may be longer.
    static let codeBytesMax = 64

    private var accounts: [String: Int64] = [:]

    init() {}

    /// Without a list every application may report messages of every account.
    func admit(_ application: String) -> Bool { self.accounts.isEmpty || self.accounts[application] != nil }

    func admit(_ application: String, account: Int64) -> Bool {
        self.accounts.isEmpty || self.accounts[application] == account
    }

    /// Reads `12345-67890=1, ABCDE-F0123=2`.
    static func read(_ text: String, _ configuration: inout HubConfiguration) -> String? {
        var applications = PushwooshApplications()
        for item in SettingReaders.items(text) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
            guard parts.count == 2, self.isCode(parts[0].utf8), let account = Int64(parts[1]), account >= 1 else {
                return "\(SettingReaders.quoted(item)) is not an application code and its account like 12345-67890=1"
            }
            guard applications.accounts.updateValue(account, forKey: parts[0]) == nil else {
                return "\(SettingReaders.quoted(parts[0])) is listed twice"
            }
        }
        configuration.pushwooshApplications = applications
        return nil
    }

    private static func isCode(_ text: String.UTF8View) -> Bool {
        (1...self.codeBytesMax).contains(text.count)
            && text.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}
