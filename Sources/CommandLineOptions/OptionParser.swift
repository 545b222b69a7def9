/// How an option's text becomes a value.
package struct OptionType<Value: Sendable>: Sendable {
    /// What help shows for the value, in capitals; nil for a flag, which takes none.
    package let placeholder: String?
    /// Throws what is wrong with the text, as the end of a sentence that begins with the option's name.
    package let read: @Sendable (String) throws(OptionProblem) -> Value

    package init(placeholder: String?, read: @escaping @Sendable (String) throws(OptionProblem) -> Value) {
        self.placeholder = placeholder
        self.read = read
    }
}

/// What is wrong with one option or operand.
package struct OptionProblem: Error, Sendable {
    package let detail: String
    package init(detail: String) { self.detail = detail }
}

/// All that is wrong with a command line or the settings that it needs: exit status 2.
package struct UsageError: Error, Sendable {
    package let problems: [String]
    package init(problems: [String]) { self.problems = problems }
}

/// One named option of a command: `--name value` or `--name=value`; a flag is a bare `--name`.
package struct Option<Value: Sendable>: CommandOption {
    package enum Presence: Sendable {
        case optional
        case required
        /// The value when the option is not given, and the text that help shows for it.
        case defaults(to: Value, text: String)
    }

    package let name: String
    package let type: OptionType<Value>
    package let presence: Presence
    package let help: String

    package init(_ name: String, _ type: OptionType<Value>, _ presence: Presence = .optional, help: String) {
        self.name = name
        self.type = type
        self.presence = presence
        self.help = help
    }

    /// A flag: false unless it is given.
    package static func flag(_ name: String, help: String) -> Option<Bool> where Value == Bool {
        Option<Bool>(name, .flag, .defaults(to: false, text: ""), help: help)
    }

    package var placeholder: String? { self.type.placeholder }

    package var isRequired: Bool {
        if case .required = self.presence { true } else { false }
    }

    package var defaultText: String? {
        if case .defaults(_, let text) = self.presence, !text.isEmpty { text } else { nil }
    }

    package func problem(with text: String) -> String? {
        do {
            _ = try self.type.read(text)
            return nil
        } catch {
            return error.detail
        }
    }
}

/// An option without its value's type: what parsing and help need of it.
package protocol CommandOption: Sendable {
    var name: String { get }
    var placeholder: String? { get }
    var help: String { get }
    var isRequired: Bool { get }
    var defaultText: String? { get }
    func problem(with text: String) -> String?
}

/// The one word that a command takes beside its options.
package struct Operand: Sendable {
    package let placeholder: String
    package let help: String

    package init(placeholder: String, help: String) {
        self.placeholder = placeholder
        self.help = help
    }
}

/// A command line that was found right: every option known, present where it must be, and of its type.
package struct Arguments: Sendable {
    /// The texts of the options that were given, by name; a flag's is empty.
    package private(set) var texts: [String: String] = [:]
    /// The operand; nil when the command takes none.
    package private(set) var operand: String?

    /// Reads `words` (without the program's and the command's names).
    ///
    /// - Throws: every problem at once, so that one run is enough to mend a command line.
    package static func parse(
        _ words: [String], options: [any CommandOption], operand: Operand? = nil
    ) throws(UsageError) -> Arguments {
        var arguments = Arguments()
        var problems: [String] = []
        var rest = words[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            if !optionsEnded && word == "--" {
                optionsEnded = true
            } else if !optionsEnded && word.hasPrefix("-") && word != "-" {
                arguments.readOption(word, following: &rest, options: options, problems: &problems)
            } else if operand == nil {
                problems.append("unexpected '\(word)': this command takes options only")
            } else if arguments.operand != nil {
                problems.append("unexpected '\(word)': only one \(operand!.placeholder) is taken")
            } else {
                arguments.operand = word
            }
        }
        if let operand, arguments.operand == nil { problems.append("\(operand.placeholder) is missing") }
        for option in options where option.isRequired && arguments.texts[option.name] == nil {
            problems.append("--\(option.name) is missing")
        }
        guard problems.isEmpty else { throw UsageError(problems: problems) }
        return arguments
    }

    /// The value of an option that is required or has a default.
    package subscript<Value>(_ option: Option<Value>) -> Value {
        if let value = self.ifGiven(option) { return value }
        guard case .defaults(let value, _) = option.presence else {
            preconditionFailure("--\(option.name) has no default: ask with ifGiven")
        }
        return value
    }

    /// The value of an option that may be left out.
    package func ifGiven<Value>(_ option: Option<Value>) -> Value? {
        // What does not read was refused in `parse`.
        self.texts[option.name].flatMap { try? option.type.read($0) }
    }

    private mutating func readOption(
        _ word: String, following rest: inout ArraySlice<String>, options: [any CommandOption],
        problems: inout [String]
    ) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { "--" + $0.name == name }) else {
            problems.append("unknown option \(name)" + Self.hint(for: name, among: options))
            return
        }
        var text = ""
        if option.placeholder == nil {
            guard parts.count == 1 else {
                problems.append("\(name) takes no value")
                return
            }
        } else if parts.count == 2 {
            text = String(parts[1])
        } else if let next = rest.first, !next.hasPrefix("--") {
            text = rest.removeFirst()
        } else {
            problems.append("\(name) needs a value: \(name) \(option.placeholder!)")
            return
        }
        guard self.texts.updateValue(text, forKey: option.name) == nil else {
            problems.append("\(name) is given twice")
            return
        }
        if let problem = option.problem(with: text) { problems.append("\(name): \(problem)") }
    }

    private static func hint(for name: String, among options: [any CommandOption]) -> String {
        NearestName.find(name, in: options.map { "--" + $0.name }).map { ": did you mean \($0)?" } ?? ""
    }
}
