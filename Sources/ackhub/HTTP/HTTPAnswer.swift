/// A whole answer of a hub.
struct HTTPAnswer: Sendable {
    var status: Int
    /// Names in lower case, in order of appearance.
    var fields: [(name: String, value: String)]
    var body: [UInt8]
    /// Whether the connection takes another request.
    var keepsAlive: Bool

    func field(_ name: String) -> String? { self.fields.first { $0.name == name }?.value }

    /// For diagnostics: the status and the beginning of the body.
    var summary: String { "\(self.status) \(String(decoding: self.body.prefix(300), as: UTF8.self))" }
}

/// What is wrong with an answer's framing.
struct HTTPAnswerFault: Error, CustomStringConvertible {
    let description: String
}
