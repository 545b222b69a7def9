import CommandLineOptions
import StrictJSON

extension Command {
    /// The version of this source.
    static let versionText = "0.1.0"

    /// `ackhub version`.
    static let version = Command(
        name: "version",
        summary: "print the version",
        discussion: "",
        options: [.json],
        run: { invocation in
            if invocation.arguments[.json] {
                try Output.json { writer in
                    writer.beginObject()
                    writer.key("version")
                    writer.string(versionText)
                    writer.endObject()
                }
            } else {
                try Output.line("ackhub \(versionText)")
            }
            return .success
        }
    )
}
