import CommandLineOptions
import Glibc
import HubServer

/// One command: what dispatch, parsing and help need to know of it, and what it does.
struct Command: Sendable {
    /// One word, or two for a command of a group (`keys new`).
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// More for its own help: behaviour, limits, what it prints.
    let discussion: String
    var operand: Operand?
    var options: [any CommandOption] = []
    /// Settings (environment variables, or flags of the same name) that must be present.
    var requiredSettings: [String] = []
    /// Settings that it reads when they are present.
    var optionalSettings: [String] = []
    /// Does the work. The result goes to stdout through `Output`; whatever is thrown, to stderr.
    let run: @Sendable (Invocation) throws -> ExitStatus

    /// The settings as options, required ones first.
    var settings: [SettingOption] { (self.requiredSettings + self.optionalSettings).flatMap(SettingOption.options) }

    /// Its own options and its settings.
    var allOptions: [any CommandOption] {
        self.options + self.settings
    }

    /// Reads the words after the command's name, then the environment, then runs.
    func run(_ words: [String]) throws -> ExitStatus {
        let arguments = try Arguments.parse(words, options: self.allOptions, operand: self.operand)
        let names = self.settings.map(\.name)
        let flags = arguments.texts.filter { names.contains($0.key) }
        // A command without settings does not care whether they are right.
        let configuration =
            names.isEmpty ? HubConfiguration() : try Self.configuration(flags, required: self.requiredSettings)
        return try self.run(Invocation(arguments: arguments, configuration: configuration))
    }

    /// Variables that a command reads itself: no settings of the hub, and no mistakes either.
    private static let otherVariables: Set<String> = [Self.tokenVariable]

    private static func configuration(
        _ flags: [String: String], required: [String]
    ) throws(UsageError) -> HubConfiguration {
        do {
            return try HubConfiguration.read(
                flags: flags, environment: Environment.variables, required: Set(required),
                otherVariables: Self.otherVariables)
        } catch {
            throw UsageError(problems: error.problems.map { "\($0.name) \($0.detail)" })
        }
    }
}

/// What a command is called with.
struct Invocation: Sendable {
    let arguments: Arguments
    let configuration: HubConfiguration
}

extension Invocation {
    /// The operand as a value.
    func operand<Value>(_ type: OptionType<Value>) throws(UsageError) -> Value {
        do {
            return try type.read(self.arguments.operand ?? "")
        } catch {
            throw UsageError(problems: [error.detail])
        }
    }
}
