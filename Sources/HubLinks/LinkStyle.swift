/// How a hub link is written (design section 4). Every hub reads both styles.
public enum LinkStyle: String, Hashable, Sendable, CaseIterable {
    /// `{public_url}/ack/{token}`, `{public_url}/open/{token}`, the token as base64url.
    case path
    /// `{public_url}/api/v1.1/pushes/crypto_post_events?/{token}`, the token in hexadecimal, which survives case folding.
    case cryptoPostEvents = "crypto_post_events"
}
