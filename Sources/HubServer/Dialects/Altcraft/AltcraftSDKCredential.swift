import EventStore
import MessageIDs

/// What Altcraft's SDKs send as `Authorization`: `Bearer rtoken@<role token>`, or `Bearer <JSON Web Token>` that the app's
/// own server signs.
enum AltcraftSDKCredential: Sendable {
    case roleToken(String)
    case webToken(JSONWebToken)

    private static let rolePrefix = "rtoken@"
    private static let roleScopes: Set<TokenScope> = [.device, .ingest]

    init(authorization: String?) throws(DialectRefusal) {
        guard let authorization else {
            throw DialectRefusal(.unauthorized, "Send a role token or a JSON Web Token: Authorization: Bearer <token>.")
        }
        guard let text = Authenticator.bearerToken(in: authorization) else {
            throw DialectRefusal(.unauthorized, "Authorization must be a Bearer token.")
        }
        if text.hasPrefix(Self.rolePrefix) {
            self = .roleToken(String(text.dropFirst(Self.rolePrefix.count)))
            return
        }
        do {
            self = .webToken(try JSONWebToken(text))
        } catch {
            throw DialectRefusal(.unauthorized, error.detail)
        }
    }

    /// Returns when the credential may report events of the message.
    func check(for message: SendMessageID, _ call: DialectCall) async throws {
        switch self {
        case .roleToken(let token):
            let grant = try await call.authenticator.grant(token: token)
            guard !grant.scopes.isDisjoint(with: Self.roleScopes) else {
                throw DialectRefusal(.forbidden, "The role token lacks the scope device.")
            }
            guard grant.account == message.account else {
                throw DialectRefusal(.forbidden, "The message belongs to another account than the role token.")
            }
        case .webToken(let token):
            // Keys are an account's own, so a token that another account's key signed fits none of them.
            do {
                try token.check(with: await call.jwtKeys.keys(of: message.account), at: call.receivedAt)
            } catch let fault as JWTFault {
                try await Self.checkAgain(token, after: fault, message.account, call)
            }
        }
    }

    /// A key that was added within the cache's minute counts, for the refusal would be final.
    private static func checkAgain(
        _ token: JSONWebToken, after fault: JWTFault, _ account: Int64, _ call: DialectCall
    ) async throws {
        do {
            guard [.noKey, .signature, .audience, .issuer].contains(fault),
                let keys = try await call.jwtKeys.newerKeys(of: account)
            else { throw fault }
            try token.check(with: keys, at: call.receivedAt)
        } catch let fault as JWTFault {
            throw DialectRefusal(.unauthorized, fault.detail)
        }
    }
}
