import MessageIDs

/// The message that a path names: by its Full, Email-safe or Unique id or its key (a UUID).
struct MessagePath: Sendable {
    let key: MessageKey
    /// nil where the text does not hold the message's fields: of a Unique id and a key.
    let message: SendMessageID?

    /// 404 when the text names no message, 403 when it is another account's; a key tells no account.
    init(_ text: String, of call: APICall) throws(Problem) {
        if let key = MessageKey(text: text) {
            self.key = key
            self.message = nil
            return
        }
        do {
            if text.utf8.first == UInt8(ascii: "U") {
                let unique = try UniqueID(text: text)
                try call.requireOwn(unique.account)
                self.key = unique.key
                self.message = nil
            } else {
                let message = try SendMessageID(text: text)
                try call.requireOwn(message.account)
                self.key = message.messageKey
                self.message = message
            }
        } catch let error as MessageIDError {
            throw .unknownMessage("The path names no message: \(error.code.name).")
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .internalError
        }
    }
}
