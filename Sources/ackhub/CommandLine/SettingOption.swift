import CommandLineOptions
import HubServer

/// A setting of the hub as an option: `--spool-dir PATH` for `ACKHUB_SPOOL_DIR`. Its text is checked where settings are
/// read, so that a flag and a variable are treated alike.
struct SettingOption: CommandOption {
    let name: String
    let placeholder: String?
    let help: String
    let defaultText: String?
    /// `ACKHUB_SPOOL_DIR`
    let variable: String

    var isRequired: Bool { false }

    func problem(with text: String) -> String? { nil }

    /// The options of one setting: its flag and, for a secret, that of a file which holds it.
    static func options(of name: String) -> [SettingOption] {
        guard let setting = HubConfiguration.settings.first(where: { $0.name == name }) else {
            preconditionFailure("\(name) is not a setting")
        }
        let plain = SettingOption(
            name: setting.name, placeholder: Self.placeholder(setting.unit), help: setting.help,
            defaultText: setting.defaultText.flatMap { $0.isEmpty ? nil : $0 }, variable: setting.variable)
        guard let flag = setting.fileFlag, let variable = setting.fileVariable else { return [plain] }
        let file = SettingOption(
            name: flag, placeholder: "PATH", help: "A file that holds it.", defaultText: nil, variable: variable)
        return [plain, file]
    }

    /// `address list` as `ADDRESS-LIST`.
    private static func placeholder(_ unit: String) -> String { unit.uppercased().replacing(" ", with: "-") }
}
