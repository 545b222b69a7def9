/// What a message had, as `message.state` packs it.
struct MessageState: Equatable {
    var isAcked = false
    /// Class of the first open that counts; nil while there is none.
    var openClass: EventClass?

    /// Five bits: acked, opened, three of the class.
    var bits: Int16 {
        (self.isAcked ? 1 : 0) | (self.openClass.map { 2 | Int16($0.rawValue) << 2 } ?? 0)
    }

    /// Nothing yet.
    init() {}

    init(isAcked: Bool, openClass: EventClass?) {
        self.isAcked = isAcked
        self.openClass = openClass
    }

    /// nil for bits that no state has.
    init?(bits: Int16) {
        self.isAcked = bits & 1 != 0
        guard bits & 2 != 0 else {
            guard bits >> 1 == 0 else { return nil }
            return
        }
        guard let openClass = UInt8(exactly: bits >> 2).flatMap(EventClass.init(rawValue:)) else { return nil }
        self.openClass = openClass
    }

    /// The state after and before the last change, from a stored value.
    static func unpack(_ stored: Int16) -> (now: MessageState, before: MessageState)? {
        guard let now = MessageState(bits: stored & 31), let before = MessageState(bits: stored >> 8) else {
            return nil
        }
        return (now, before)
    }
}
