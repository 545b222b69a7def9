/// What was wrong with a link, for the metric `ackhub_damaged_links_total{kind}`; never shown to the client.
///
/// A kind is judged from the text and the key id alone. A token that fails its authentication is never decrypted to find
/// out more, so `authentication` also holds most of the tokens that were cut, extended or mistyped.
public enum LinkDamage: String, CaseIterable, Hashable, Sendable {
    /// Shorter than the shortest token, or cut where no token can end.
    case truncated
    /// A character that the token's alphabet does not have: a `+`, a space, a repeated `?`…
    case alphabet
    /// 25 or more letters of a base64url token in one case, by chance once in 2^24: a gateway folded it.
    case letterCase = "letter_case"
    /// No key of the ring has the token's key id.
    case unknownKey = "unknown_key"
    /// The token's key was retired.
    case retiredKey = "retired_key"
    /// The token was not minted with the key that it names, or was changed since.
    case authentication
    /// Authentic, but of a format that this version does not know.
    case version
    /// Authentic, but its kind is not the path's: an ack token below `/open/`.
    case wrongKind = "wrong_kind"
    /// Authentic, but what it holds is not a message id.
    case body
    /// Longer than the longest token.
    case overlong
    /// `=3D` or a soft line break inside: quoted-printable that nobody decoded.
    case quotedPrintable = "quoted_printable"
}
