/// The forms of a payload that a sender can ask for.
package enum PayloadTemplateName: String, Sendable {
    /// As the provider takes it.
    case wire
    /// Exactly as the vendor's document shows it.
    case documented
}
