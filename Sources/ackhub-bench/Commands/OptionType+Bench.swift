import CommandLineOptions
import HubLinks

extension OptionType where Value == LoadURL {
    static let loadURL = OptionType(placeholder: "URL") { text throws(OptionProblem) in
        guard let url = LoadURL(text: text) else {
            throw OptionProblem(
                detail: "'\(text)' is not like http://127.0.0.1:8080 or https://[::1]:8443; names other than localhost "
                    + "are not looked up")
        }
        return url
    }
}

extension OptionType where Value == [LoadURL] {
    /// URLs with a comma between them.
    static let loadURLs = OptionType(placeholder: "URL,…") { text throws(OptionProblem) in
        var urls: [LoadURL] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            urls.append(try OptionType<LoadURL>.loadURL.read(String(part)))
        }
        guard urls.count < LoadPlan.serversLimit else {
            throw OptionProblem(detail: "more than \(LoadPlan.serversLimit) servers")
        }
        return urls
    }
}

extension OptionType where Value == [ProcessTree] {
    /// `NAME=PID` with a comma between them.
    static let processes = OptionType(placeholder: "NAME=PID,…") { text throws(OptionProblem) in
        var processes: [ProcessTree] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", omittingEmptySubsequences: false)
            guard words.count == 2, !words[0].isEmpty, let pid = Int32(words[1]), pid > 0 else {
                throw OptionProblem(detail: "'\(part)' is not like hub=1234")
            }
            guard !processes.contains(where: { $0.name == words[0] || $0.pid == pid }) else {
                throw OptionProblem(detail: "'\(part)' is given twice")
            }
            processes.append(ProcessTree(name: String(words[0]), pid: pid))
        }
        return processes
    }
}

/// In which proportion acks and opens are hit.
struct KindMix: Sendable, Equatable {
    var acks = 0
    var opens = 0
}

extension OptionType where Value == KindMix {
    /// `ack`, `open`, or both with weights: `ack:3,open:1`.
    static let kinds = OptionType(placeholder: "KINDS") { text throws(OptionProblem) in
        var mix = KindMix()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard let weight = words.count == 1 ? 1 : words.count == 2 ? Int(words[1]) : nil, 1...1_000 ~= weight else {
                throw OptionProblem(detail: "'\(part)' is not like ack or ack:3, with a weight of 1 to 1000")
            }
            switch words[0] {
            case "ack" where mix.acks == 0: mix.acks = weight
            case "open" where mix.opens == 0: mix.opens = weight
            default: throw OptionProblem(detail: "'\(part)' is neither ack nor open, or given twice")
            }
        }
        return mix
    }
}

extension OptionType where Value == LinkStyle {
    static let linkStyle = OptionType(placeholder: "STYLE") { text throws(OptionProblem) in
        guard let style = LinkStyle(rawValue: text) else {
            throw OptionProblem(detail: "'\(text)' is neither path nor crypto_post_events")
        }
        return style
    }
}

extension OptionType where Value == [Figure] {
    /// Names with a comma between them.
    static let figures = OptionType(placeholder: "NAME,…") { text throws(OptionProblem) in
        var figures: [Figure] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let figure = Figure(rawValue: String(name)) else {
                let known = Figure.allCases.map(\.rawValue).joined(separator: ", ")
                throw OptionProblem(detail: "'\(name)' is not a figure; known are \(known)")
            }
            figures.append(figure)
        }
        return figures
    }
}
