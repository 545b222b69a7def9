import HubLinks
package import MessageIDs
package import PushPayloads
package import StrictJSON

/// Writes one message's payloads as the API answers them: the same bytes over HTTP and from the command line. Used by one
/// task at a time: it keeps its buffers from recipient to recipient.
package final class PayloadWriter {
    package let template: PayloadTemplate
    private var values: PayloadValues?
    private var rendering: PayloadTemplate.Rendering?

    package init(_ template: PayloadTemplate) { self.template = template }

    /// Mints the message's links and measures its payload, to be appended next. Refuses a payload that its provider would
    /// refuse; the recipient has passed `template.check`.
    package func prepare(
        _ message: SendMessageID, for recipient: PayloadRecipient, _ links: LinkWriter
    ) throws(FieldReason) {
        self.rendering = nil
        var values =
            self.values.take()
            ?? PayloadValues(message: message, uid: [], launchID: [], ackLink: [], openLink: [], recipient: recipient)
        values.message = message
        values.recipient = recipient
        links.write(message, into: &values)
        defer { self.values = values }
        self.rendering = try self.template.rendering(values)
    }

    /// Appends the prepared recipient's
    /// `{"uid":…,"launch_id":…,"hub_link":{…},"payload":{…},"delivery":{…},"payload_bytes":…,"link_bytes":…}`, without
    /// `delivery` where nothing goes beside the payload.
    package func append(to bytes: inout [UInt8]) {
        let (values, rendering) = self.prepared
        bytes.append("{\"uid\":\"")
        bytes.append(contentsOf: values.uid)
        bytes.append("\",\"launch_id\":\"")
        bytes.append(contentsOf: values.launchID)
        bytes.append("\",\"hub_link\":{\"ack\":\"")
        bytes.append(contentsOf: values.ackLink)
        bytes.append("\",\"open\":\"")
        bytes.append(contentsOf: values.openLink)
        bytes.append("\"},\"payload\":")
        self.template.appendPayload(rendering, values, to: &bytes)
        if rendering.hasDelivery {
            bytes.append(",\"delivery\":")
            self.template.appendDelivery(rendering, values, to: &bytes)
        }
        bytes.append(",\"payload_bytes\":")
        bytes.append(contentsOf: String(rendering.payloadBytes).utf8)
        bytes.append(",\"link_bytes\":")
        bytes.append(contentsOf: String(values.ackLink.count + values.openLink.count).utf8)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the prepared recipient's payload alone.
    package func appendPayload(to bytes: inout [UInt8]) {
        let (values, rendering) = self.prepared
        self.template.appendPayload(rendering, values, to: &bytes)
    }

    private var prepared: (PayloadValues, PayloadTemplate.Rendering) {
        guard let values = self.values, let rendering = self.rendering else {
            preconditionFailure("nothing is prepared, or it was refused")
        }
        return (values, rendering)
    }
}

extension LinkWriter {
    /// Fills in what comes from the message alone.
    fileprivate func write(_ message: SendMessageID, into values: inout PayloadValues) {
        values.uid.removeAll(keepingCapacity: true)
        values.uid.append(contentsOf: message.text(.full).utf8)
        values.launchID.removeAll(keepingCapacity: true)
        self.appendLaunchID(message.launch, to: &values.launchID)
        values.ackLink.removeAll(keepingCapacity: true)
        self.minter.append(.ack, message, to: &values.ackLink)
        values.openLink.removeAll(keepingCapacity: true)
        self.minter.append(.open, message, to: &values.openLink)
    }
}
