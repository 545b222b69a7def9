import CommandLineOptions
import EventStore
import Glibc
import HubServer
import MessageIDs
import StrictJSON

extension Command {
    private static let account = Option(
        "account", .account, .required, help: "the account whose messages the tokens may report events of")
    private static let ofAccount = Option("account", .account, help: "only this account's keys")
    private static let algorithm = Option(
        "algorithm", .jwtAlgorithm, .required, help: "how the tokens are signed: HS256, RS256 or ES256")
    private static let keyFile = Option(
        "key-file", .text("PATH"), .required,
        help: "the public key in PEM or DER; of HS256 the secret, 32 bytes or more;\n/dev/stdin is read too")
    private static let kid = Option("kid", .jwtKeyID, help: "the key's id in the tokens' header; made up if not given")
    private static let audience = Option("audience", .text("TEXT"), help: "what the tokens' aud must contain")
    private static let issuer = Option("issuer", .text("TEXT"), help: "what the tokens' iss must be")
    private static let name = Option(
        "name", .text("TEXT"), .defaults(to: "", text: "none"), help: "what it is for, shown in lists")

    /// `ackhub jwt-keys add`: lets an account's apps report with JSON Web Tokens that this key signed.
    static let jwtKeysAdd = Command(
        name: "jwt-keys add",
        summary: "accept an app's JSON Web Tokens that a key signed",
        discussion: """
            Prints the key's id (kid). Tokens that name it are checked with this key alone, tokens that name no known key
            with each of the account's keys of their algorithm; an account has at most 16 in use. Of RS256 (2048 bits or
            more) and ES256 the public key is stored, of HS256 the secret itself: prefer the others. Without --audience
            and --issuer the hub does not ask for whom and by whom a token was made.
            """,
        options: [account, algorithm, keyFile, kid, audience, issuer, name],
        requiredSettings: ["database-url"],
        run: { invocation in
            let arguments = invocation.arguments
            let path = arguments[keyFile]
            let key = JWTKey(
                account: arguments[account], id: arguments.ifGiven(kid) ?? randomKeyID(),
                algorithm: arguments[algorithm], material: try material(at: path, for: arguments[algorithm]),
                audience: arguments.ifGiven(audience), issuer: arguments.ifGiven(issuer))
            switch try JWTKeys.add(key, name: arguments[name], on: try invocation.connect()) {
            case .added: try Output.line(key.id)
            case .idTaken: throw CommandError("account \(key.account) has, or had, a key \(key.id)")
            case .tooMany:
                throw CommandError("account \(key.account) has \(JWTKeys.activeMax) keys in use; revoke one")
            }
            return .success
        }
    )

    /// `ackhub jwt-keys list`: ids, algorithms and names, never the keys.
    static let jwtKeysList = Command(
        name: "jwt-keys list",
        summary: "list keys of JSON Web Tokens, without the keys themselves",
        discussion: "Revoked keys stay in the list, with the time.",
        options: [ofAccount, .json],
        requiredSettings: ["database-url"],
        run: { invocation in
            let keys = try JWTKeys.list(
                account: invocation.arguments.ifGiven(ofAccount), on: try invocation.connect())
            try invocation.arguments[.json] ? printJSON(keys) : printTable(keys)
            return .success
        }
    )

    /// `ackhub jwt-keys revoke KID`: a key's tokens stop to work.
    static let jwtKeysRevoke = Command(
        name: "jwt-keys revoke",
        summary: "refuse the JSON Web Tokens of a key from now on",
        discussion: """
            Hubs refuse its tokens as soon as they look the keys up again, within a minute. Exit status 1 when the
            account has no such key in use.
            """,
        operand: Operand(placeholder: "KID", help: "the key's id, see 'ackhub jwt-keys list'"),
        options: [account],
        requiredSettings: ["database-url"],
        run: { invocation in
            let account = invocation.arguments[account]
            let id = try invocation.operand(.jwtKeyID)
            guard try JWTKeys.revoke(account: account, id: id, on: try invocation.connect()) else {
                throw CommandError("account \(account) has no key \(id) in use")
            }
            return .success
        }
    )

    private static func randomKeyID() -> String {
        var random = SystemRandomNumberGenerator()
        return String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
    }

    private static func material(at path: String, for algorithm: JWTAlgorithm) throws -> [UInt8] {
        let file = try read(path)
        do {
            return try JWTKeyFile.material(of: file, for: algorithm)
        } catch {
            throw CommandError("\(path) is no key for \(algorithm.rawValue): \(error)")
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandError("can't open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: JWTKeyFile.bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw CommandError("can't read \(path): \(String(cString: strerror(errno)))") }
            if got == 0 { return Array(bytes[..<count]) }
            count += got
        }
        throw CommandError("\(path) is larger than a key: over \(JWTKeyFile.bytesMax) bytes")
    }

    private static func printTable(_ keys: [JWTKeys.Listed]) throws {
        var table = TextTable(
            header: ["key", "account", "algorithm", "audience", "issuer", "name", "created", "revoked"])
        for key in keys {
            table.row([
                key.id, String(key.account), key.algorithm.rawValue, key.audience ?? "–", key.issuer ?? "–", key.name,
                timeText(microseconds: key.createdAt), key.revokedAt.map(timeText) ?? "–",
            ])
        }
        try Output.line(table.text)
    }

    private static func printJSON(_ keys: [JWTKeys.Listed]) throws {
        try Output.json { writer in
            writer.beginArray()
            for key in keys {
                writer.beginObject()
                writer.key("id")
                writer.string(key.id)
                writer.key("account_id")
                writer.string(String(key.account))
                let texts = [
                    ("algorithm", key.algorithm.rawValue), ("audience", key.audience), ("issuer", key.issuer),
                    ("name", key.name), ("created_at", timeText(microseconds: key.createdAt)),
                    ("revoked_at", key.revokedAt.map(timeText)),
                ]
                for (member, text) in texts {
                    writer.key(member)
                    if let text { writer.string(text) } else { writer.null() }
                }
                writer.endObject()
            }
            writer.endArray()
        }
    }
}

extension OptionType where Value == JWTAlgorithm {
    fileprivate static let jwtAlgorithm = OptionType(placeholder: "NAME") { text throws(OptionProblem) in
        guard let algorithm = JWTAlgorithm(rawValue: text) else {
            let known = JWTAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw OptionProblem(detail: "'\(text)' is not one of \(known)")
        }
        return algorithm
    }
}

extension OptionType where Value == String {
    fileprivate static let jwtKeyID = OptionType(placeholder: "KID") { text throws(OptionProblem) in
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        guard (1...JWTKey.idBytesMax).contains(text.utf8.count), isPrintable else {
            throw OptionProblem(detail: "is not 1 to \(JWTKey.idBytesMax) bytes without spaces")
        }
        return text
    }
}
