/// What a valid token stands for.
package struct TokenGrant: Sendable, Equatable {
    package var account: Int64
    package var scopes: Set<TokenScope>

    package init(account: Int64, scopes: Set<TokenScope>) {
        self.account = account
        self.scopes = scopes
    }
}
