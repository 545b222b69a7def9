/// A delivery service (design section 8). Unknown codes are kept.
public struct Provider: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reads every spelling: `ios-apns`, `iosapns`, `iOS APNS`, `3`… Case, spaces, `-` and `_` do not matter.
    ///
    /// A label that several codes share (`Pushwoosh`, `Carillon`) is refused; `Android Firebase` is the v1 provider,
    /// because the legacy one has a name of its own.
    public init?(name: String) {
        if let code = Spelling.code(name) {
            self.init(rawValue: code)
            return
        }
        guard let spelling = Spelling.normalized(name),
            let row = Self.table.first(where: { $0.spellings.contains(spelling) })
        else { return nil }
        self.init(rawValue: row.code)
    }

    /// `android-firebase`, or the number for an unknown code.
    public var name: String { self.row?.name ?? String(self.rawValue) }

    /// What payloads carry as `_provider`, e.g. `Android Firebase`; nil for an unknown code.
    public var label: String? { self.row?.label }

    /// All known providers, by code.
    public static let known: [Provider] = Self.table.map { Provider(rawValue: $0.code) }

    private var row: Row? { Self.table.first { $0.code == self.rawValue } }

    private struct Row: Sendable {
        var code: UInt8
        var name: String
        var label: String
        /// Normalised: see ``Spelling``. The name always, the label where it names one code only.
        var spellings: [String]
    }

    private static let table: [Row] = [
        Row(code: 1, name: "android-firebase", label: "Android Firebase", spellings: ["androidfirebase"]),
        Row(code: 2, name: "ios-firebase", label: "iOS Firebase", spellings: ["iosfirebase"]),
        Row(code: 3, name: "ios-apns", label: "iOS APNS", spellings: ["iosapns"]),
        Row(code: 4, name: "ios-appmetrica", label: "iOS AppMetrica", spellings: ["iosappmetrica"]),
        Row(code: 5, name: "android-appmetrica", label: "Android AppMetrica", spellings: ["androidappmetrica"]),
        Row(code: 6, name: "android-huawei", label: "Android HMS", spellings: ["androidhuawei", "androidhms"]),
        Row(code: 7, name: "ios-huawei", label: "iOS HMS", spellings: ["ioshuawei", "ioshms"]),
        Row(code: 8, name: "android-rustore", label: "Android RuStore", spellings: ["androidrustore"]),
        Row(
            code: 9, name: "android-firebase-legacy", label: "Android Firebase", spellings: ["androidfirebaselegacy"]),
        Row(code: 20, name: "pushwoosh-android", label: "Pushwoosh", spellings: ["pushwooshandroid"]),
        Row(code: 21, name: "pushwoosh-ios", label: "Pushwoosh", spellings: ["pushwooshios"]),
        Row(code: 30, name: "carillon-android", label: "Carillon", spellings: ["carillonandroid"]),
        Row(code: 31, name: "carillon-ios", label: "Carillon", spellings: ["carillonios"]),
    ]
}
