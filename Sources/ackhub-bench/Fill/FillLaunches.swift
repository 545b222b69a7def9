import EventStore
import MessageIDs

/// The launches of a fill: their messages, and the records that the hub would spool of their hits.
struct FillLaunches: Sendable {
    let account: Int64
    let count: Int
    /// Launch time of the first one, UNIX nanoseconds; each later launch began a millisecond after the one before.
    let firstAt: UInt64
    /// Send time of the first message, UNIX nanoseconds.
    private let sendingAt: UInt64
    private let sendGap: UInt64

    private static let launchGap: UInt64 = 1_000_000
    private static let campaigns: Int64 = 100
    private static let launchedBefore: UInt64 = 3_600 * 1_000_000_000
    private static let sendingBefore: UInt64 = 600 * 1_000_000_000
    /// Nanoseconds between two messages; of more than fit into the time before `now` that way, the gap is less.
    private static let sendGapMax: UInt64 = 10_000

    /// Launched an hour before `now`, UNIX nanoseconds; messages were sent one by one in the ten minutes before it.
    init(account: Int64, count: Int, messages: Int, now: UInt64) {
        self.account = account
        self.count = count
        self.firstAt = now - Self.launchedBefore
        self.sendingAt = now - Self.sendingBefore
        self.sendGap = min(Self.sendGapMax, Self.sendingBefore / UInt64(max(messages, 1)))
    }

    func launch(ofMessage number: Int) -> Int { number % self.count }

    func id(_ launch: Int) -> LaunchID {
        LaunchID(
            account: self.account, campaign: 1 + Int64(launch) % Self.campaigns,
            launchedAt: self.firstAt + UInt64(launch) * Self.launchGap)
    }

    /// The launch behind the last one began then.
    var endAt: UInt64 { self.firstAt + UInt64(self.count) * Self.launchGap }

    /// nil for a time at which no launch of the fill began.
    func launch(launchedAt: UInt64) -> Int? {
        guard launchedAt >= self.firstAt, launchedAt < self.endAt else { return nil }
        let (launch, rest) = (launchedAt - self.firstAt).quotientAndRemainder(dividingBy: Self.launchGap)
        return rest == 0 ? Int(launch) : nil
    }

    func message(_ number: Int) -> SendMessageID {
        let launch = self.id(self.launch(ofMessage: number))
        return SendMessageID(
            account: launch.account, campaign: launch.campaign, resource: 1, channel: .push,
            subscription: Int64(number) + 1, profile: ProfileID(UInt128(number) + 1),
            sentAt: self.sendingAt + UInt64(number) * self.sendGap, launchedAt: launch.launchedAt,
            provider: Provider(rawValue: 1), isTest: false, privacy: .keepAddress)
    }

    /// Appends the record of an event, as the hub spools a hit on its link.
    func appendRecord(of event: FillPlan.Event, receivedAt: UInt64, to bytes: inout [UInt8]) {
        let address = Self.address(event.message)
        let record = Event(
            kind: event.kind, message: self.message(event.message), receivedAt: receivedAt,
            dialect: .link, eventClass: .human, addressLength: address.length, address: address.value)
        let userAgent = Self.userAgents[event.message % Self.userAgents.count]
        userAgent.withUTF8Buffer { record.appendRecord(userAgent: RawSpan(_unsafeBytes: .init($0)), to: &bytes) }
    }

    /// Every fourth message's device has an address of version 6.
    private static func address(_ message: Int) -> (length: Int, value: UInt128) {
        let host = UInt128(UInt32(truncatingIfNeeded: message &* 2_654_435_761))
        return message % 4 == 0 ? (16, 0x2001_0db8 << 96 | host << 32 | host) : (4, host)
    }

    private static let userAgents: [StaticString] = [
        "Dalvik/2.1.0 (Linux; U; Android 14; SM-S918B Build/UP1A.231005.007)",
        "Dalvik/2.1.0 (Linux; U; Android 11; M2101K6G Build/RKQ1.200826.002)",
        "Shop/512 CFNetwork/1494.0.7 Darwin/23.4.0",
        "okhttp/4.12.0",
        "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36",
    ]
}
