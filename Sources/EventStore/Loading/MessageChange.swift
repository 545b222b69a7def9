/// What the upsert of a batch's messages changed of one.
struct MessageChange {
    /// Place in the batch's `messages`.
    var message: Int
    var now: MessageState
    var before: MessageState
    /// Receipt of its first open that counts, UNIX microseconds; nil without one.
    var openedAt: Int64?

    /// Its first ack is in the batch.
    var isFirstAck: Bool { self.now.isAcked && !self.before.isAcked }
    /// Its first open that counts is in the batch.
    var isFirstOpen: Bool { self.now.openClass != nil && self.before.openClass == nil }
}
