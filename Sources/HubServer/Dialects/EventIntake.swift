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

    /// Returns when all events are on disk, or none is: then why.
    func store(
        _ events: [ReportedEvent], _ dialect: EventDialect, from client: ClientFacts, receivedAt: UInt64
    ) async -> SpoolRefusal? {
        guard !events.isEmpty else { return nil }
        let stored = events.map { Self.event($0, dialect, from: client, receivedAt: receivedAt) }
        let records = zip(events, stored).map { reported, event in
            var record: [UInt8] = []
            let userAgent = reported.message.privacy.keepsUserAgent ? client.userAgent : []
            event.appendRecord(userAgent: userAgent.span.bytes, to: &record)
            return record
        }
        if let refusal = await self.spool.append(records) { return refusal }
        self.counters.countStored(stored)
        return nil
    }

    private static func event(
        _ reported: ReportedEvent, _ dialect: EventDialect, from client: ClientFacts, receivedAt: UInt64
    ) -> Event {
        let message = reported.message
        var flags: EventFlags = []
        if message.sentAt > receivedAt, message.sentAt - receivedAt > DeviceHandler.sentAheadNanoseconds {
            flags.insert(.sentAhead)
        }
        let deviceAt = reported.deviceAt.map { DeviceTime($0, receivedAt: receivedAt) }
        if deviceAt?.isClamped == true { flags.insert(.deviceTimeClamped) }
        let address = client.address.kept(by: message.privacy)
        return Event(
            kind: reported.kind, message: message, receivedAt: receivedAt, deviceAt: deviceAt?.nanoseconds,
            dialect: dialect, eventClass: client.eventClass, flags: flags, addressLength: address.length,
            address: address.value, report: reported.report)
    }
}
