extension HubConfiguration {
    /// The settings as the README's table shows them.
    package static var markdownTable: String {
        var lines = ["| variable | default | meaning |", "|---|---|---|"]
        for setting in Self.settings {
            let fallback = setting.defaultText.flatMap { $0.isEmpty ? nil : "`\($0)`" } ?? "–"
            let file = setting.fileVariable.map { ", `\($0)`" } ?? ""
            lines.append("| `\(setting.variable)`\(file) | \(fallback) | \(setting.help) (\(setting.unit)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
