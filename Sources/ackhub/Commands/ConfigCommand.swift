import CommandLineOptions
import HubServer
import StrictJSON

extension Command {
    /// `ackhub config`: the effective settings.
    static let config = Command(
        name: "config",
        summary: "print the effective settings, secrets hidden",
        discussion: """
            Reads the settings as 'ackhub serve' does and prints each one's effective value. A bad value is named,
            all bad values at once (exit status 2). Passwords in the database's address are hidden.
            """,
        options: [.json],
        optionalSettings: HubConfiguration.settings.map(\.name),
        run: { invocation in
            let settings = invocation.configuration.effective
            if invocation.arguments[.json] {
                try Output.json { writer in
                    writer.beginObject()
                    for setting in settings {
                        writer.key(setting.variable)
                        setting.origin == .unset ? writer.null() : writer.string(setting.value)
                    }
                    writer.endObject()
                }
            } else {
                for setting in settings {
                    let origin = setting.origin == .unset ? "not set" : setting.origin.rawValue
                    try Output.line("\(setting.variable)=\(setting.value)  # \(origin)")
                }
            }
            return .success
        }
    )
}
