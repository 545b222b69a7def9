import MessageIDs

/// Pushwoosh's number of a platform (`device_type` of its registerDevice), by the provider that a message went to: the hub
/// knows the provider of a message, not the device.
enum PushwooshPlatform {
    /// 1 iOS, 3 Android, 17 Huawei; 0 for a provider that the hub does not know.
    static func number(of provider: Provider) -> Int64 {
        switch provider.name {
        case "android-huawei": 17
        case let name where name.hasPrefix("ios-") || name.hasSuffix("-ios"): 1
        case let name where name.hasPrefix("android-") || name.hasSuffix("-android"): 3
        default: 0
        }
    }
}
