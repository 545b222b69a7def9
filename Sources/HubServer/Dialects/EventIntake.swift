import EventSpool
import EventStore
import HTTPFrontEnd
import MessageIDs

/// Takes what any dialect reports to the spool: one record an event, one durable answer for all of a request.
final class EventIntake: Sendable {
    private let spool: Spool
    private let proxies: ForwardedChain
    private let userAgents = UserAgentTable()
    let counters = DialectCounters()

    init(services: HubServices) {
        self.spool = services.spool
        self.proxies = ForwardedChain(trusted: services.configuration.trustedProxies)
    }

    func facts(of request: HTTPRequest) -> ClientFacts {
        ClientFacts(request, proxies: self.proxies, userAgents: self.userAgents)
    }

    func facts(address: IPAddress, userAgent: [UInt8]) -> ClientFacts {
        ClientFacts(address: address, userAgent: userAgent, userAgents: self.userAgents)
    }

    /// Returns when all events are on disk, or none is: then why.
    func store(
        _ events: [ReportedEvent], _ dialect: EventDialect, from client: ClientFacts, receivedAt: UInt64
    ) async -> SpoolRefusal? {
        await self.store(events.map { ($0, client) }, dialect, receivedAt: receivedAt)
    }

    /// The same for events of many clients.
    func store(
        _ events: [(event: ReportedEvent, client: ClientFacts)], _ dialect: EventDialect, receivedAt: UInt64
    ) async -> SpoolRefusal? {
        guard !events.isEmpty else { return nil }
        let records = events.map { Self.record($0.event, dialect, from: $0.client, receivedAt: receivedAt) }
        if let refusal = await self.spool.append(records) { return refusal }
        self.counters.countStored(
            events.map { DialectMetrics.Hit(dialect: dialect, kind: $0.event.kind, eventClass: $0.client.eventClass) })
        return nil
    }

    private static func record(
        _ reported: ReportedEvent, _ dialect: EventDialect, from client: ClientFacts, receivedAt: UInt64
    ) -> [UInt8] {
        var flags: EventFlags = []
        if reported.message.isSentAhead(of: receivedAt) { flags.insert(.sentAhead) }
        let deviceAt = reported.deviceAt.map { DeviceTime($0, receivedAt: receivedAt) }
        if deviceAt?.isClamped == true { flags.insert(.deviceTimeClamped) }
        var record: [UInt8] = []
        switch reported.message {
        case .whole(let message):
            let address = client.address.kept(by: message.privacy)
            let userAgent = message.privacy.keepsUserAgent ? client.userAgent : []
            Event(
                kind: reported.kind, message: message, receivedAt: receivedAt, deviceAt: deviceAt?.nanoseconds,
                dialect: dialect, eventClass: client.eventClass, flags: flags, addressLength: address.length,
                address: address.value, report: reported.report
            ).appendRecord(userAgent: userAgent.span.bytes, to: &record)
        case .key(let account, let key):
            KeyedEvent(
                kind: reported.kind, account: account, key: key, receivedAt: receivedAt,
                deviceAt: deviceAt?.nanoseconds, dialect: dialect, eventClass: client.eventClass, flags: flags,
                addressLength: client.address.length, address: client.address.value, report: reported.report
            ).appendRecord(userAgent: client.userAgent.span.bytes, to: &record)
        }
        return record
    }
}
