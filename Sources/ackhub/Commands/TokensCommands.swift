import CommandLineOptions
import EventStore
import MessageIDs
import Postgres
import StrictJSON

extension Command {
    private static let account = Option("account", .account, .required, help: "the account that the token belongs to")
    private static let ofAccount = Option("account", .account, help: "only this account's tokens")
    private static let scopes = Option(
        "scopes", .scopes, help: "what it may do: mint, report, ingest, admin, device;\na comma between them")
    private static let role = Option<Bool>.flag(
        "role", help: "a role token (rToken) for an app with Altcraft's SDK: scope device")
    private static let mobileKey = Option<Bool>.flag(
        "mobile-key", help: "a mobile key (carillon_mk_…) for an app with Carillon's SDK: scope device")
    private static let name = Option(
        "name", .text("TEXT"), .defaults(to: "", text: "none"), help: "what it is for, shown in lists")

    /// `ackhub tokens create`: prints a new API token.
    static let tokensCreate = Command(
        name: "tokens create",
        summary: "make an API token and print it",
        discussion: """
            Prints the token and nothing else. Only its SHA-256 is stored: it can't be shown again. Give one of --scopes,
            --role and --mobile-key. A token with the scope device may lie in an app: it reports the device's own events
            and opens nothing else.
            """,
        options: [account, scopes, role, mobileKey, name],
        requiredSettings: ["database-url"],
        run: { invocation in
            let arguments = invocation.arguments
            let (scopes, prefix) = try allowance(arguments)
            let token = try Tokens.create(
                account: arguments[account], scopes: scopes, name: arguments[name], prefix: prefix,
                on: try invocation.connect())
            try Output.line(token)
            return .success
        }
    )

    private static func allowance(_ arguments: Arguments) throws -> (Set<TokenScope>, Tokens.Prefix) {
        switch (arguments.ifGiven(scopes), arguments[role], arguments[mobileKey]) {
        case (let scopes?, false, false): return (scopes, .ackhub)
        case (nil, true, false): return ([.device], .ackhub)
        case (nil, false, true): return ([.device], .carillonMobileKey)
        default: throw UsageError(problems: ["give one of --scopes, --role and --mobile-key"])
        }
    }

    /// `ackhub tokens list`: ids, scopes and names, never the tokens.
    static let tokensList = Command(
        name: "tokens list",
        summary: "list API tokens by id, without their text",
        discussion: "Revoked tokens stay in the list, with the time.",
        options: [ofAccount, .json],
        requiredSettings: ["database-url"],
        run: { invocation in
            let tokens = try Tokens.list(
                account: invocation.arguments.ifGiven(ofAccount), on: try invocation.connect())
            try invocation.arguments[.json] ? printJSON(tokens) : printTable(tokens)
            return .success
        }
    )

    /// `ackhub tokens revoke ID`: a token stops to work.
    static let tokensRevoke = Command(
        name: "tokens revoke",
        summary: "make an API token useless",
        discussion: """
            Hubs refuse it as soon as they look it up again. Exit status 1 when no token has that id or it was revoked
            before.
            """,
        operand: Operand(placeholder: "ID", help: "the token's id, see 'ackhub tokens list'"),
        requiredSettings: ["database-url"],
        run: { invocation in
            let id = try invocation.operand(.id(from: 1))
            guard try Tokens.revoke(id: id, on: try invocation.connect()) else {
                throw CommandError("no token \(id) is in use")
            }
            return .success
        }
    )

    private static func printTable(_ tokens: [Tokens.Listed]) throws {
        var table = TextTable(header: ["token", "account", "scopes", "name", "created", "revoked"])
        for token in tokens {
            table.row([
                String(token.id), String(token.account), token.scopeNames.joined(separator: ","), token.name,
                timeText(microseconds: token.createdAt), token.revokedAt.map(timeText) ?? "–",
            ])
        }
        try Output.line(table.text)
    }

    private static func printJSON(_ tokens: [Tokens.Listed]) throws {
        try Output.json { writer in
            writer.beginArray()
            for token in tokens {
                writer.beginObject()
                writer.key("id")
                writer.string(String(token.id))
                writer.key("account_id")
                writer.string(String(token.account))
                writer.key("scopes")
                writer.beginArray()
                for name in token.scopeNames { writer.string(name) }
                writer.endArray()
                writer.key("name")
                writer.string(token.name)
                writer.key("created_at")
                writer.string(timeText(microseconds: token.createdAt))
                writer.key("revoked_at")
                if let revokedAt = token.revokedAt {
                    writer.string(timeText(microseconds: revokedAt))
                } else {
                    writer.null()
                }
                writer.endObject()
            }
            writer.endArray()
        }
    }
}

extension Tokens.Listed {
    /// In the order of the scopes' declaration.
    fileprivate var scopeNames: [String] { TokenScope.allCases.filter(self.scopes.contains).map(\.rawValue) }
}

/// RFC 3339 of a database time, which is UNIX microseconds.
func timeText(microseconds: Int64) -> String {
    UnixTime.text(nanoseconds: UInt64(max(0, microseconds)) * 1_000)
}
