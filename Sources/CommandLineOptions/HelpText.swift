/// The parts that help pages are made of.
package enum HelpText {
    /// `--name VALUE`, or `--name` for a flag.
    package static func form(of option: any CommandOption) -> String {
        option.placeholder.map { "--\(option.name) \($0)" } ?? "--\(option.name)"
    }

    /// What it does, and its default.
    package static func help(of option: any CommandOption) -> String {
        option.help + (option.defaultText.map { " (default \($0))" } ?? "")
    }

    /// Two columns; a second line of the right one stays in its column.
    package static func list(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            let indented = right.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n" + String(repeating: " ", count: width + 4))
            return "  " + left + String(repeating: " ", count: width - left.count + 2) + indented
        }.joined(separator: "\n")
    }
}
