package import MessageIDs

/// A message that is to be known before any event of it: a spool record for dialects whose events name a message by its key
/// alone, which does not hold the message's fields.
package struct MintedMessage: Sendable {
    package var message: SendMessageID

    /// `message` is as it was minted (``SendMessageID/asMinted``): its fields go to the database as they are.
    package init(message: SendMessageID) { self.message = message }
}
