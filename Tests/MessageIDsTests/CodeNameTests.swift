import MessageIDs
import TestSupport
import Testing

/// Providers, channels, kinds.
@Suite(.blocking)
struct CodeNameTests {
    /// Every known spelling of every provider, and what it is called.
    @Test(
        arguments: [
            (1, "android-firebase", "Android Firebase", ["androidfirebase", "ANDROID_FIREBASE", "1"]),
            (2, "ios-firebase", "iOS Firebase", ["iosfirebase", "iOS Firebase"]),
            (3, "ios-apns", "iOS APNS", ["iosapns", "iOS APNS", "IOS-APNS", "3"]),
            (4, "ios-appmetrica", "iOS AppMetrica", ["iosappmetrica", "iOS AppMetrica"]),
            (5, "android-appmetrica", "Android AppMetrica", ["androidappmetrica"]),
            (6, "android-huawei", "Android HMS", ["androidhuawei", "Android HMS", "androidhms"]),
            (7, "ios-huawei", "iOS HMS", ["ioshuawei", "iOS HMS", "ioshms"]),
            (8, "android-rustore", "Android RuStore", ["androidrustore", "Android RuStore"]),
            (9, "android-firebase-legacy", "Android Firebase", ["androidfirebaselegacy", "9"]),
            (20, "pushwoosh-android", "Pushwoosh", ["pushwooshandroid", "Pushwoosh Android"]),
            (21, "pushwoosh-ios", "Pushwoosh", ["pushwooshios", "21"]),
            (30, "carillon-android", "Carillon", ["carillonandroid", "Carillon_Android"]),
            (31, "carillon-ios", "Carillon", ["carillonios"]),
        ] as [(UInt8, String, String, [String])])
    func readsEverySpelling(_ code: UInt8, _ name: String, _ label: String, _ spellings: [String]) {
        let provider = Provider(rawValue: code)
        #expect(provider.name == name)
        #expect(provider.label == label)
        for spelling in spellings + [name] { #expect(Provider(name: spelling) == provider, "\(spelling)") }
        #expect(Provider.known.contains(provider))
    }

    /// The table has these providers and no other, by code.
    @Test func knownProvidersAreSorted() {
        #expect(Provider.known.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 30, 31])
    }

    /// The label that two providers share names the current one; one that says nothing of the platform names none.
    @Test func sharedLabelsAreSettled() {
        #expect(Provider(name: "Android Firebase")?.rawValue == 1)
        #expect(Provider(name: "Pushwoosh") == nil)
        #expect(Provider(name: "Carillon") == nil)
    }

    /// An unknown code is kept and read back.
    @Test func keepsUnknownCodes() {
        #expect(Provider(rawValue: 200).name == "200")
        #expect(Provider(rawValue: 200).label == nil)
        #expect(Provider(name: "200")?.rawValue == 200)
        #expect(Provider(name: "0")?.rawValue == 0)
        #expect(Channel(rawValue: 200).name == "200")
        #expect(Channel(name: "200")?.rawValue == 200)
    }

    /// Nothing else is a name.
    @Test(arguments: [
        "", " ", "-", "256", "-1", "+3", "03", "3.0", "ios", "ios apns!", "iös-apns", "android\u{0}firebase",
        String(repeating: "a", count: 100_000),
    ])
    func refusesOtherNames(_ name: String) {
        #expect(Provider(name: name) == nil)
        #expect(Channel(name: name) == nil)
    }

    /// Channels by number and name.
    @Test(arguments: [(1, "email"), (2, "push"), (3, "sms"), (4, "webpush"), (5, "inapp")] as [(UInt8, String)])
    func namesChannels(_ number: UInt8, _ name: String) {
        let channel = Channel(rawValue: number)
        #expect(channel.name == name)
        #expect(Channel(name: name) == channel)
        #expect(Channel(name: name.uppercased()) == channel)
        #expect(Channel(name: String(number)) == channel)
    }

    /// Written with a separator, as vendors do.
    @Test func readsSeparatedChannelNames() {
        #expect(Channel(name: "web-push") == .webpush)
        #expect(Channel(name: "In App") == .inapp)
    }

    /// Number 0 is no named channel.
    @Test func channelZeroHasNoName() { #expect(Channel(rawValue: 0).name == "0") }

    /// The words of URLs and JSON.
    @Test func kindsHaveNames() { #expect(EventKind.allCases.map(\.name) == ["ack", "open"]) }
}
