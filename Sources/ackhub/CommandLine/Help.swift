import CommandLineOptions

/// The help pages, made of the command table.
enum Help {
    static var overview: String {
        """
        ackhub: a tracking hub for push messages

        Usage: ackhub COMMAND [OPTION]…

        \(HelpText.list(CommandTable.commands.map { ($0.name, $0.summary) }))

        'ackhub COMMAND --help' explains one. Settings are read from the environment (ACKHUB_DATABASE_URL, …)
        or from flags of the same name (--database-url); 'ackhub serve --help' lists them all.
        Results go to stdout, diagnostics to stderr. Exit status: 0 done, 1 the answer is no or the work failed,
        2 the command line or a setting is wrong.
        """
    }

    static func page(of command: Command) -> String {
        var usage = "ackhub \(command.name)"
        if let operand = command.operand { usage += " \(operand.placeholder)" }
        for option in command.options where option.isRequired { usage += " \(HelpText.form(of: option))" }
        if !command.allOptions.allSatisfy(\.isRequired) { usage += " [OPTION]…" }
        var sections = [command.summary, "Usage: \(usage)", command.discussion]
        if let operand = command.operand { sections.append(HelpText.list([(operand.placeholder, operand.help)])) }
        if !command.options.isEmpty {
            sections.append(
                "Options:\n" + HelpText.list(command.options.map { (HelpText.form(of: $0), HelpText.help(of: $0)) }))
        }
        if !command.settings.isEmpty {
            let rows = command.settings.map { setting in
                let need = command.requiredSettings.contains(setting.name) ? ", required" : ""
                return
                    "  \(HelpText.form(of: setting))  \(setting.variable)\(need)\n      \(HelpText.help(of: setting))"
            }
            sections.append("Settings, each a flag or an environment variable:\n" + rows.joined(separator: "\n"))
        }
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    static func page(ofGroup name: String, _ commands: [Command]) -> String {
        """
        Usage: ackhub \(name) COMMAND [OPTION]…

        \(HelpText.list(commands.map { ($0.name, $0.summary) }))
        """
    }
}
