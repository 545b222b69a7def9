import CommandLineOptions
import HubLinks
import HubServer
import MessageIDs
import PushPayloads
import StrictJSON

extension Command {
    private static let token = Option(
        "token", .pushToken, .required, help: "the device's push token, or /topics/ and a topic's name")
    private static let locale = Option("locale", .locale, help: "the recipient's locale, e.g. pt-BR")
    private static let template = Option(
        "template", .template, .defaults(to: .wire, text: "wire"),
        help: "wire: as the provider takes it; documented: as the\nvendor's document shows it")
    private static let akUID = Option<Bool>.flag("ak-uid", help: "add ak_uid beside _uid")
    private static let messageBytesMax = 1 << 20

    /// `ackhub render`: a payload without a running hub.
    static let render = Command(
        name: "render",
        summary: "make one finished push payload in process",
        discussion: """
            Reads the 'message' object of POST /v1/payloads from stdin (JSON, at most 1 MiB) and prints the finished
            payload; with --json the whole of what that request answers for this recipient, exactly as in its
            'messages', with what goes beside the payload. What is wrong with the message is told on stderr, a line
            each, with its JSON pointer; exit status 1.
            It uses the keys and public-url of the settings and needs no database. It does not count as sent: report
            the count with POST /v1/launches/{launch_id}/sent.
            """,
        options: MessageOptions.all + [token, locale, template, akUID, .json],
        requiredSettings: MessageOptions.requiredSettings,
        optionalSettings: MessageOptions.optionalSettings,
        run: { invocation in
            let arguments = invocation.arguments
            let options = MessageOptions(invocation)
            let provider = options.provider
            guard PayloadTemplate.providers.contains(provider) else {
                throw UsageError(problems: ["--provider: there is no payload for \(provider.name)"])
            }
            let minter = try options.makeMinter()
            let form = PayloadOptions(
                isDocumented: arguments[template] == .documented, hasAkUID: arguments[akUID],
                linkBytesMax: minter.linkBytesMax)
            let message = try readMessage()
            var faults = FieldFaults()
            let read = PayloadTemplate(
                provider, message: message, at: PayloadPlace.message, options: form, faults: &faults)
            guard let read else { return refuse(faults) }
            let recipient = arguments[token].localized(arguments.ifGiven(locale))
            do throws(FieldReason) {
                try read.check(recipient)
            } catch {
                throw UsageError(problems: ["--token: \(error.detail)"])
            }

            let writer = PayloadWriter(read)
            try options.eachMessage(count: 1) { message in
                do throws(FieldReason) {
                    try writer.prepare(message, for: recipient, LinkWriter(minter))
                } catch {
                    faults.add(PayloadPlace.message.place, error)
                }
            }
            guard faults.isEmpty else { return refuse(faults) }
            if read.needsStoredMessage { Output.diagnostic("ackhub render: \(unknownMessage)") }
            var bytes: [UInt8] = []
            if arguments[.json] { writer.append(to: &bytes) } else { writer.appendPayload(to: &bytes) }
            try Output.bytes(bytes + [UInt8(ascii: "\n")])
            return .success
        }
    )

    private static let unknownMessage =
        "no hub knows this message, and its device reports by delivery_id alone, which a hub would not recognise; "
        + "POST /v1/payloads stores the message"

    private static func readMessage() throws -> JSONValue {
        let bytes = try Input.standardInput(bytesMax: messageBytesMax)
        do {
            return try JSONValue(parsing: bytes.span.bytes, depthMax: PayloadPlace.messageDepthMax)
        } catch {
            throw CommandError("the message is no JSON: \(error)")
        }
    }

    /// `/message/title: Must be a string.`
    private static func refuse(_ faults: FieldFaults) -> ExitStatus {
        for fault in faults.listed {
            guard case .pointer(let pointer) = fault.place else { preconditionFailure("a message has no parameters") }
            Output.diagnostic("\(pointer): \(fault.detail)")
        }
        return .failure
    }
}
