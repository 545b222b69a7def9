/// Whether a device is woken up for the message. Raw values are those of FCM v1 and HMS.
enum PushPriority: String, Sendable {
    case high = "HIGH"
    case normal = "NORMAL"
}
