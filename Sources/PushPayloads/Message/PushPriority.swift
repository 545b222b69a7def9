/// Whether a device is woken up for the message. Raw values are those of FCM v1 and HMS.
enum PushPriority: String, Sendable {
    case high = "HIGH"
    case normal = "NORMAL"

    /// As messages, FCM's legacy interface and AppMetrica have it: in lower case.
    var word: String { self.rawValue.lowercased() }
}
