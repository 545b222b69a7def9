/// One row of the table of settings: how a value is named, read, checked and explained.
package struct Setting: Sendable {
    /// The flag without its dashes: `spool-dir`.
    package let name: String
    /// As it would be written; nil when there is none.
    package let defaultText: String?
    /// `bytes`, `seconds`, `path`, `CIDR list`, …
    package let unit: String
    /// One sentence for people, with its full stop.
    package let help: String
    /// Secrets are hidden wherever values are shown, and can be read from a file named by `ACKHUB_…_FILE`.
    package let isSecret: Bool
    /// Puts the value in its place, or says what is wrong with it without repeating a secret.
    package let apply: @Sendable (_ text: String, _ configuration: inout HubConfiguration) -> String?

    init(
        _ name: String, default defaultText: String?, unit: String, secret isSecret: Bool = false, _ help: String,
        _ apply: @escaping @Sendable (String, inout HubConfiguration) -> String?
    ) {
        self.name = name
        self.defaultText = defaultText
        self.unit = unit
        self.isSecret = isSecret
        self.help = help
        self.apply = apply
    }

    /// `ACKHUB_SPOOL_DIR`
    package var variable: String {
        HubConfiguration.variablePrefix + self.name.uppercased().replacing("-", with: "_")
    }
    /// `ACKHUB_DATABASE_URL_FILE`, for a secret.
    package var fileVariable: String? { self.isSecret ? self.variable + "_FILE" : nil }
    /// `database-url-file`, for a secret.
    package var fileFlag: String? { self.isSecret ? self.name + "-file" : nil }
}

/// A setting's value as the program uses it.
package struct EffectiveSetting: Sendable, Equatable {
    package enum Origin: String, Sendable {
        case unset, `default`, environment, file, flag
    }
    package var name: String
    package var variable: String
    /// Secrets are masked.
    package var value: String
    package var origin: Origin
}
