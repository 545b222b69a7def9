import CommandLineOptions
import Glibc

extension HubConfiguration {
    /// Reads flags (`spool-dir`, by setting name) over environment (`ACKHUB_SPOOL_DIR`) over defaults; throws all
    /// problems at once, each by the name that the reader wrote. Only the settings in `required` must be present. An empty
    /// variable counts as unset. An `ACKHUB_` variable that no setting has is a problem too, unless `otherVariables` names it.
    package static func read(
        flags: [String: String], environment: [String: String], required: Set<String>,
        otherVariables: Set<String> = []
    ) throws(HubConfigurationError) -> HubConfiguration {
        var configuration = HubConfiguration()
        var problems = Self.unknownNames(flags: flags, environment: environment, otherVariables: otherVariables)
        for setting in Self.settings {
            let found: Found?
            switch Self.find(setting, flags: flags, environment: environment) {
            case .success(let value): found = value
            case .failure(let problem):
                problems.append((problem.name, problem.detail))
                continue
            }
            if let found, let detail = setting.apply(found.text, &configuration) {
                problems.append((found.name, detail))
            }
            if found == nil, required.contains(setting.name) {
                problems.append((setting.variable, "is required: \(setting.help)"))
            }
            configuration.effective.append(
                EffectiveSetting(
                    name: setting.name, variable: setting.variable,
                    value: setting.isSecret ? SecretMask.mask(found?.text ?? "") : found?.text ?? "",
                    origin: found?.origin ?? .unset))
        }
        if (configuration.tlsCertificateFile == nil) != (configuration.tlsKeyFile == nil) {
            problems.append(("ACKHUB_TLS_CERT", "and ACKHUB_TLS_KEY must be set both or not at all"))
        }
        guard problems.isEmpty else { throw HubConfigurationError(problems: problems) }
        return configuration
    }

    private struct Found {
        /// The variable or flag, for problems.
        var name: String
        var text: String
        var origin: EffectiveSetting.Origin
    }

    private struct Problem: Error {
        var name: String
        var detail: String
    }

    private static func find(
        _ setting: Setting, flags: [String: String], environment: [String: String]
    ) -> Result<Found?, Problem> {
        if let text = flags[setting.name] {
            if let flag = setting.fileFlag, flags[flag] != nil {
                return .failure(Problem(name: "--\(flag)", detail: "and --\(setting.name) are both set: keep one"))
            }
            return .success(Found(name: "--\(setting.name)", text: text, origin: .flag))
        }
        if let flag = setting.fileFlag, let path = flags[flag] {
            return Self.readSecret(name: "--\(flag)", path: path)
        }
        let text = environment[setting.variable].flatMap { $0.isEmpty ? nil : $0 }
        if let variable = setting.fileVariable, let path = environment[variable], !path.isEmpty {
            guard text == nil else {
                return .failure(Problem(name: variable, detail: "and \(setting.variable) are both set: keep one"))
            }
            return Self.readSecret(name: variable, path: path)
        }
        if let text { return .success(Found(name: setting.variable, text: text, origin: .environment)) }
        return .success(
            setting.defaultText.map { Found(name: setting.variable, text: $0, origin: .default) })
    }

    /// The file's text without its last line end; at most 64 KiB.
    private static func readSecret(name: String, path: String) -> Result<Found?, Problem> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            return .failure(Problem(name: name, detail: "can't read the file: \(String(cString: strerror(code)))"))
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return .failure(Problem(name: name, detail: "can't read the file")) }
            if got == 0 { break }
            count += got
        }
        var text = bytes[..<count]
        while text.last == 10 || text.last == 13 { text.removeLast() }
        guard !text.isEmpty, count < 65_536, !text.contains(0), let string = String(validating: text, as: UTF8.self)
        else {
            return .failure(Problem(name: name, detail: "the file must hold one line of text"))
        }
        return .success(Found(name: name, text: string, origin: .file))
    }

    private static func unknownNames(
        flags: [String: String], environment: [String: String], otherVariables: Set<String>
    ) -> [(name: String, detail: String)] {
        let knownFlags = Self.settings.flatMap { [$0.name] + ($0.fileFlag.map { [$0] } ?? []) }
        let knownVariables = Self.settings.flatMap { [$0.variable] + ($0.fileVariable.map { [$0] } ?? []) }
        var problems: [(name: String, detail: String)] = []
        for name in flags.keys.sorted() where !knownFlags.contains(name) {
            let guess = NearestName.find(name, in: knownFlags).map { ": did you mean --\($0)?" } ?? ""
            problems.append(("--\(name)", "is not a setting\(guess)"))
        }
        for name in environment.keys.sorted()
        where name.hasPrefix(Self.variablePrefix) && !knownVariables.contains(name) && !otherVariables.contains(name) {
            let guess = NearestName.find(name, in: knownVariables).map { ": did you mean \($0)?" } ?? ""
            problems.append((name, "is not a setting\(guess)"))
        }
        return problems
    }
}
