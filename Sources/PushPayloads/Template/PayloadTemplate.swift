package import MessageIDs
package import StrictJSON

/// A message laid out for one provider: everything that is the same for all recipients is done once, here.
package struct PayloadTemplate: Sendable {
    /// A payload that is within its provider's bounds, ready to be written.
    package struct Rendering: Sendable {
        fileprivate let form: Int
        /// What the provider counts.
        package let payloadBytes: Int
        /// Whether something goes beside the payload: see `appendDelivery`.
        package let hasDelivery: Bool
    }

    package let provider: Provider
    /// Whether the device reports by the message key alone, so that the hub must know the message beforehand.
    package let needsStoredMessage: Bool

    private struct Form: Sendable {
        var payload: PayloadText
        var delivery: PayloadText?
        var size: PayloadSize
        var bytesMax: Int

        init(_ shape: PayloadShape) {
            self.payload = PayloadText(shape.payload)
            self.delivery = shape.delivery.isEmpty ? nil : PayloadText(.object(shape.delivery))
            self.size = shape.size
            self.bytesMax = shape.bytesMax
        }
    }

    /// The base form first.
    private var forms: [Form]
    private var topicForm: Int?
    private var localizedForms: [String: Int] = [:]
    /// Sizes beside the recipient's own that must be within bounds.
    private let alsoChecked: PayloadSizeBounds
    private let uidBytesMax: Int?

    /// Providers that there is a renderer for.
    package static var providers: [Provider] { PayloadProvider.table.map(\.provider) }

    /// Reads the message as the provider's; nil when it is at fault: `faults` then says all that is wrong.
    ///
    /// - Parameter base: Where the message stands in the body.
    package init?(
        _ provider: Provider, message: JSONValue, at base: FieldBase, options: PayloadOptions,
        faults: inout FieldFaults
    ) {
        guard let renderer = PayloadProvider.table.first(where: { $0.provider == provider }) else {
            faults.add(.pointer("/provider"), .unknownValue, "There is no payload for this provider.")
            return nil
        }
        guard let shapes = renderer.shapes(message, base, options, &faults) else { return nil }
        self.provider = provider
        self.needsStoredMessage = shapes.needsStoredMessage
        self.uidBytesMax = shapes.uidBytesMax
        self.forms = [Form(shapes.base)]
        if let topic = shapes.topic {
            self.topicForm = self.forms.count
            self.forms.append(Form(topic))
        }
        for (locale, shape) in shapes.localized {
            self.localizedForms[locale] = self.forms.count
            self.forms.append(Form(shape))
        }
        self.alsoChecked = PayloadSizeBounds(shapes.localized.values + shapes.alsoChecked)
    }

    /// Refuses a recipient that the provider has no payload for, whatever the message: a topic where there are none.
    package func check(_ recipient: PayloadRecipient) throws(FieldReason) { _ = try self.form(for: recipient) }

    /// The recipient's payload, measured. Refuses one that its provider would refuse: too many bytes, a recipient that
    /// `check` refuses, or an id that the device would not take.
    package func rendering(_ values: PayloadValues) throws(FieldReason) -> Rendering {
        if let uidBytesMax = self.uidBytesMax, values.uid.count > uidBytesMax {
            throw FieldReason(
                code: .outOfRange,
                detail:
                    "The message's ids are too large: its Full id has \(values.uid.count) characters; the device takes "
                    + "\(uidBytesMax).")
        }
        let index = try self.form(for: values.recipient)
        let form = self.forms[index]
        let bytes = form.size.bytes(with: values)
        guard bytes <= form.bytesMax else {
            throw FieldReason(
                code: .payloadTooLarge, detail: "The payload has \(bytes) bytes; the provider takes \(form.bytesMax).")
        }
        if let excess = self.alsoChecked.excess(with: values) {
            throw FieldReason(
                code: .payloadTooLarge,
                detail: "The payload of another locale or platform has \(excess.bytes) bytes; the provider takes "
                    + "\(excess.bytesMax).")
        }
        return Rendering(form: index, payloadBytes: bytes, hasDelivery: form.delivery != nil)
    }

    private func form(for recipient: PayloadRecipient) throws(FieldReason) -> Int {
        if recipient.isTopic {
            guard let topicForm = self.topicForm else {
                throw FieldReason(code: .invalid, detail: "This provider's payload can't go to a topic.")
            }
            return topicForm
        }
        guard let locale = recipient.locale else { return 0 }
        // The exact locale, then its language, then the base text.
        let language = locale.prefix { $0 != "-" }
        return self.localizedForms[locale] ?? self.localizedForms[String(language)] ?? 0
    }

    /// Appends the payload as compact JSON.
    package func appendPayload(_ rendering: Rendering, _ values: PayloadValues, to bytes: inout [UInt8]) {
        Self.append(self.forms[rendering.form].payload, values, to: &bytes)
    }

    /// Appends what goes beside the payload as a JSON object: APNs header fields, FCM's options. Only if `hasDelivery`.
    package func appendDelivery(_ rendering: Rendering, _ values: PayloadValues, to bytes: inout [UInt8]) {
        guard let delivery = self.forms[rendering.form].delivery else { return }
        Self.append(delivery, values, to: &bytes)
    }

    private static func append(_ text: PayloadText, _ values: PayloadValues, to bytes: inout [UInt8]) {
        for piece in text.pieces {
            switch piece {
            case .bytes(let piece): bytes.append(contentsOf: piece)
            case .hole(let hole): values.append(hole, to: &bytes)
            }
        }
    }
}
