import CommandLineOptions
import HubServer

/// The hub that a command asks, and the API token that it shows.
struct APITarget: Sendable {
    static let url = Option(
        "url", .text("URL"), help: "where the hub listens, http://host:port (default public-url)")

    static func token(_ scopes: String) -> Option<String> {
        Option("token", .text("TOKEN"), help: "an API token with \(scopes) (default $\(Command.tokenVariable))")
    }

    let address: HubAddress
    let token: String

    /// From the options, else the setting `public-url` and the environment.
    init(_ invocation: Invocation) throws(UsageError) {
        var problems: [String] = []
        let text = invocation.arguments.ifGiven(Self.url) ?? invocation.configuration.publicURL
        let address = HubAddress(url: text)
        if text.isEmpty {
            problems.append("--url is missing, and \(Self.publicURLVariable) is not set")
        } else if address == nil {
            problems.append("--url: '\(text)' is not like http://host:port")
        }
        let token =
            invocation.arguments.ifGiven(Self.token("")) ?? Environment.variables[Command.tokenVariable]
        if token == nil { problems.append("--token is missing, and \(Command.tokenVariable) is not set") }
        guard let address, let token, problems.isEmpty else { throw UsageError(problems: problems) }
        self.address = address
        self.token = token
    }

    private static var publicURLVariable: String { SettingOption.options(of: "public-url")[0].variable }
}

extension Command {
    /// The API token where none is given as an option.
    static let tokenVariable = "ACKHUB_TOKEN"
}
