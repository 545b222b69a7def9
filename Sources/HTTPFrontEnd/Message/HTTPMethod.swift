/// The methods that endpoints know apart; any other token is `other`.
package enum HTTPMethod: Hashable, Sendable { case get, head, post, put, patch, delete, options, other }
