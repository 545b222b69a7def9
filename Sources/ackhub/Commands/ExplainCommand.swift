import CommandLineOptions
import EventStore
import HubLinks
import HubServer
import MessageIDs
import Postgres

extension Command {
    /// `ackhub explain URL`: everything about one link.
    static let explain = Command(
        name: "explain",
        summary: "say everything about one link",
        discussion: """
            Style, kind, key, message fields, age and expiry, how its hits are classed and counted, what travel did to
            it, and what is stored of its message when database-url is set and the database answers. Exit status 1
            when devices would get 404 for it, with the kind of damage.
            """,
        operand: Operand(placeholder: "URL", help: "the link as it arrived; the part before the path may be missing"),
        options: [.json],
        requiredSettings: ["keys-file"],
        optionalSettings: ["public-url", "link-ttl-days", "database-url"],
        run: { invocation in
            let ring = try KeyRing(contentsOf: invocation.configuration.keysFile)
            let configuration = invocation.configuration
            var explanation = LinkExplanation(
                url: invocation.arguments.operand!, publicPath: configuration.publicPath)
            try explanation.read(with: ring, linkTTLDays: configuration.linkTTLDays, now: WallClock.now())
            if explanation.message != nil { explanation.lookUp { try stored($0, for: invocation) } }
            if invocation.arguments[.json] {
                try Output.json { $0.explanation(explanation) }
            } else {
                try Output.line(explanation.text)
            }
            return explanation.message == nil ? .failure : .success
        }
    )

    private static func stored(_ message: SendMessageID, for invocation: Invocation) throws -> MessageReport? {
        try Reports.message(account: message.account, key: message.messageKey, on: try invocation.connect())
    }
}
