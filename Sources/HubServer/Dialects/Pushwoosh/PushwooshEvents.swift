import MessageIDs

/// `pushStat` and `messageDeliveryEvent`: a device tells that the message whose `hash` came in the payload's `p` was opened,
/// or arrived.
///
/// Nothing in these calls proves who sends them: an application code is in every copy of the app, and the hash is checked but
/// not signed. `ACKHUB_PUSHWOOSH_APPS` at least ties codes to accounts. The optional `Authorization` of an SDK is a token of
/// Pushwoosh's, which the hub can't judge.
///
/// No time is read: there is none, and Android waits up to 30 seconds at random before it calls, so the event is of the time
/// of receipt.
enum PushwooshEvents {
    static func read(_ call: DialectCall, _ kind: EventKind) throws(DialectRefusal) -> DialectReport {
        let arguments = try PushwooshArguments(call)
        let application = try arguments.text("application")
        let device = try arguments.text("hwid")
        let applications = call.services.configuration.pushwooshApplications
        guard applications.admit(application) else {
            throw DialectRefusal(.forbidden, "The hub does not know this application.")
        }
        let response = PushwooshReply.success(call)
        // A push that was not made by a hub, or by another sender of the same app, has no hash.
        guard let hash = try arguments.optionalText("hash") else {
            return DialectReport(ignored: 1, response: response)
        }
        // One text for a foreign, a damaged and another account's hash.
        guard let message = try? SendMessageID(text: hash), applications.admit(application, account: message.account)
        else {
            throw DialectRefusal(.unknownMessage, "The hash is no message's of this hub.")
        }
        // Replays of iOS have neither id nor time of their own: one device reports a message once a method.
        let report = ReportedEvent.report(application, device, message.text(), kind.name)
        return DialectReport(
            events: [ReportedEvent(kind: kind, message: message, report: report)], response: response)
    }
}
