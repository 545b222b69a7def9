/// Limits that messages of all vendors share, because their providers or the phones set them.
enum PushLimits {
    /// A text that is shown: as many bytes as a whole payload.
    static let textBytesMax = PayloadShape.messageBytesMax
    /// Names of sounds, icons, categories and custom fields.
    static let nameBytesMax = 256
    /// Web addresses and deeplinks.
    static let urlBytesMax = 2048
    /// Four weeks: the longest that FCM keeps a message; APNs keeps none longer.
    static let ttlSecondsMax: Int64 = 2_419_200
    /// What an app's badge shows.
    static let badgeMax: Int64 = 999
}
