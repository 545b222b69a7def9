extension CarillonPayload {
    /// One platform's payloads, in every locale. Those of the other platform, and the base's, must be within bounds too,
    /// whoever the recipient is: Carillon refuses the notification, not the device.
    func shapes(own: (CarillonText) -> PayloadShape, other: (CarillonText) -> PayloadShape) -> PayloadShapes {
        let base = own(self.text)
        let texts = self.localizations.map { ($0.locale, self.text.localized(by: $0.text)) }
        var shapes = PayloadShapes(base: base, needsStoredMessage: true)
        shapes.localized = Dictionary(uniqueKeysWithValues: texts.map { ($0, own($1)) })
        shapes.alsoChecked = [base, other(self.text)] + texts.map { other($1) }
        return shapes
    }
}
