import MessageIDs

extension PayloadProvider {
    /// The renderer of one of Altcraft's structures: reads the common message by the provider's rules and lays it out.
    init(
        altcraft code: UInt8, rules: PushMessageRules,
        _ shapes: @escaping @Sendable (AltcraftLayout) -> PayloadShapes
    ) {
        let provider = Provider(rawValue: code)
        self.init(provider: provider) { message, base, options, faults in
            guard let message = PushMessage(message, at: base, rules: rules, &faults) else { return nil }
            return shapes(AltcraftLayout(message: message, provider: provider, options: options))
        }
    }
}
