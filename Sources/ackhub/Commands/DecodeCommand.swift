import CommandLineOptions
import HubServer
import MessageIDs
import StrictJSON

extension Command {
    /// `ackhub decode ID`: any id form, explained field by field.
    static let decode = Command(
        name: "decode",
        summary: "explain an id field by field",
        discussion: """
            Reads a SendMessageID (Full T…, Unique U…, email-safe e…), a launch id, a message key (UUID) and what it
            can of the older public forms (u…, m…, f…, w…, e|launch|smid|provider). Exit status 1 when the text is
            none of them, with the reason. A link is explained by 'ackhub explain'.
            """,
        operand: Operand(placeholder: "ID", help: "the id's text"),
        options: [.json],
        run: { invocation in
            let decoded: DecodedID
            do throws(MessageIDError) {
                decoded = try DecodedID(text: invocation.arguments.operand!)
            } catch {
                // No id has a slash.
                let hint = invocation.arguments.operand!.contains("/") ? " For a link use 'ackhub explain'." : ""
                throw CommandError("\(error.code.name): \(error)\(hint)")
            }
            if invocation.arguments[.json] {
                try Output.bytes(DecodeEndpoint.json(decoded).bytes + [UInt8(ascii: "\n")])
            } else {
                try Output.line(FieldList([("form", decoded.family)] + decoded.fields).text)
            }
            return .success
        }
    )
}

/// Names and values in two columns.
struct FieldList {
    private let fields: [(name: String, value: String)]

    init(_ fields: [(String, String)]) { self.fields = fields.map { (name: $0.0, value: $0.1) } }

    var text: String {
        let width = self.fields.map(\.name.count).max() ?? 0
        return self.fields.map { field in
            field.name + String(repeating: " ", count: width - field.name.count + 2) + field.value
        }.joined(separator: "\n")
    }
}
