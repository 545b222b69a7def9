/// The help pages, made of the command table.
enum Help {
    static var overview: String {
        """
        ackhub: a tracking hub for push messages

        Usage: ackhub COMMAND [OPTION]…

        \(self.list(CommandTable.commands.map { ($0.name, $0.summary) }))

        'ackhub COMMAND --help' explains one. Settings are read from the environment (ACKHUB_DATABASE_URL, …)
        or from flags of the same name (--database-url); 'ackhub serve --help' lists them all.
        Results go to stdout, diagnostics to stderr. Exit status: 0 done, 1 the answer is no or the work failed,
        2 the command line or a setting is wrong.
        """
    }

    static func page(of command: Command) -> String {
        var usage = "ackhub \(command.name)"
        if let operand = command.operand { usage += " \(operand.placeholder)" }
        for option in command.options where option.isRequired { usage += " \(self.form(of: option))" }
        if !command.allOptions.allSatisfy(\.isRequired) { usage += " [OPTION]…" }
        var sections = [command.summary, "Usage: \(usage)", command.discussion]
        if let operand = command.operand { sections.append(self.list([(operand.placeholder, operand.help)])) }
        if !command.options.isEmpty {
            sections.append("Options:\n" + self.list(command.options.map { (self.form(of: $0), self.help(of: $0)) }))
        }
        if !command.settings.isEmpty {
            let rows = command.settings.map { setting in
                let need = command.requiredSettings.contains(setting.name) ? ", required" : ""
                return "  \(self.form(of: setting))  \(setting.variable)\(need)\n      \(self.help(of: setting))"
            }
            sections.append("Settings, each a flag or an environment variable:\n" + rows.joined(separator: "\n"))
        }
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    static func page(ofGroup name: String, _ commands: [Command]) -> String {
        """
        Usage: ackhub \(name) COMMAND [OPTION]…

        \(self.list(commands.map { ($0.name, $0.summary) }))
        """
    }

    private static func form(of option: any CommandOption) -> String {
        option.placeholder.map { "--\(option.name) \($0)" } ?? "--\(option.name)"
    }

    private static func help(of option: any CommandOption) -> String {
        option.help + (option.defaultText.map { " (default \($0))" } ?? "")
    }

    private static func list(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            let indented = right.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n" + String(repeating: " ", count: width + 4))
            return "  " + left + String(repeating: " ", count: width - left.count + 2) + indented
        }.joined(separator: "\n")
    }
}
