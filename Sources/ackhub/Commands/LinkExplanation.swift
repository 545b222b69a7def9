import EventStore
import HubLinks
import MessageIDs
import Postgres
import StrictJSON

/// What is known of one link, field by field.
struct LinkExplanation {
    private let target: String
    private(set) var message: SendMessageID?
    /// Names and values in the order for people; JSON uses the same names.
    private(set) var fields: [(String, String)] = []
    /// What is stored of the message's hits, oldest first.
    private(set) var events: [StoredEvent] = []

    /// - Parameters:
    ///   - url: as it arrived, with or without scheme and host.
    ///   - publicPath: the public URL's own path, which a front proxy may have left on.
    init(url: String, publicPath: String) {
        let path = HubAddress.path(of: url)
        let isPrefixed = !publicPath.isEmpty && path.hasPrefix(publicPath + "/")
        self.target = isPrefixed ? String(path.dropFirst(publicPath.count)) : path
    }

    mutating func read(with ring: KeyRing, linkTTLDays: Int, now: UInt64) throws {
        self.add("style", self.target.contains("crypto_post_events") ? "crypto_post_events" : "path")
        let opener = try LinkOpener(keyRing: ring)
        switch opener.read(target: Array(self.target.utf8).span.bytes) {
        case .notALink:
            self.fields = []
            self.add("verdict", "not a link: no /ack/, /open/ or crypto_post_events in its path")
        case .damaged(let damage):
            self.add("verdict", "damaged: devices get 404")
            self.add("damage", damage.rawValue)
            self.add("meaning", damage.meaning)
        case .message(let kind, let message):
            self.message = message
            self.describe(kind, message, opener: opener, ring: ring)
            self.describeAge(of: message, linkTTLDays: linkTTLDays, now: now)
            self.describeCounting(of: kind, message)
        }
    }

    /// Adds what `find` gives; a failure to find is told, not thrown, since the link itself is explained without it.
    mutating func lookUp(_ find: (SendMessageID) throws -> MessageReport?) {
        guard let message = self.message else { return }
        do {
            guard let report = try find(message) else { return self.add("stored", "nothing yet") }
            self.add("stored", report.events.count == 1 ? "1 event" : "\(report.events.count) events")
            self.add("first ack", report.ackedAt.map(timeText) ?? "none")
            self.add("first open", report.openedAt.map(timeText) ?? "none")
            self.events = report.events
        } catch let error as PostgresError {
            self.add("stored", "unknown: \(error.advice)")
        } catch {
            self.add("stored", "unknown: \(error)")
        }
    }

    /// For people.
    var text: String {
        let stored = self.events.map { event in
            let first = event.isFirst ? ", first" : ""
            return (
                "event",
                "\(timeText(microseconds: event.receivedAt)) \(event.kind.name) by \(event.dialect.name), "
                    + "class \(event.eventClass.name)\(first)"
            )
        }
        return FieldList(self.fields + stored).text
    }

    private mutating func add(_ name: String, _ value: String) { self.fields.append((name, value)) }

    private mutating func describe(
        _ kind: EventKind, _ message: SendMessageID, opener: LinkOpener, ring: KeyRing
    ) {
        self.add("verdict", "genuine")
        self.add("arrived", opener.wasRepaired ? "changed on the way, but readable: it counts" : "as it was minted")
        self.add("kind", kind == .ack ? "ack: the device received the message" : "open: the person tapped it")
        let key = ring.entries.first { $0.id == opener.keyID }
        self.add("key", "\(opener.keyID), \(key?.state.rawValue ?? "unknown"), made \(key?.createdAtText ?? "–")")
        self.add("uid", message.text())
        self.add("message key", message.messageKey.text)
        self.add("launch", message.launch.text)
        self.add("account", String(message.account))
        self.add("campaign", String(message.campaign))
        self.add("launched at", UnixTime.text(nanoseconds: message.launchedAt))
        self.add("resource", String(message.resource))
        self.add("channel", message.channel.name)
        self.add("provider", message.provider.name)
        self.add("profile", message.profile.text)
        self.add("subscription", String(message.subscription))
        self.add("sent at", UnixTime.text(nanoseconds: message.sentAt))
        self.add("test", message.isTest ? "yes: left out of reports unless asked for" : "no")
        self.add("privacy", message.privacy.meaning)
    }

    private mutating func describeAge(of message: SendMessageID, linkTTLDays: Int, now: UInt64) {
        let day: UInt64 = 86_400 * 1_000_000_000
        let (expiry, overflow) = message.sentAt.addingReportingOverflow(UInt64(linkTTLDays) * day)
        if message.sentAt > now {
            self.add("age", "sent \(Self.span(message.sentAt - now)) ahead of this clock")
        } else {
            self.add("age", Self.span(now - message.sentAt))
        }
        if !overflow {
            let verdict = expiry > now ? "hits count until then" : "over: devices get 410"
            self.add("expires", "\(UnixTime.text(nanoseconds: expiry)), \(verdict)")
        }
    }

    private mutating func describeCounting(of kind: EventKind, _ message: SendMessageID) {
        let classes = EventClass.allCases
        if kind == .ack {
            self.add("counting", "every GET or POST counts, whatever its class; the first makes the message acked")
        } else {
            let counting = classes.filter(\.countsOpens).map(\.name).joined(separator: " and ")
            let others = classes.filter { !$0.countsOpens }.map(\.name).joined(separator: ", ")
            self.add(
                "counting",
                "a GET or POST of class \(counting) counts, the first makes the message opened; "
                    + "\(others) are stored only")
        }
        self.add("not events", "HEAD and OPTIONS")
    }

    /// `3 d 4 h`, two units at most.
    static func span(_ nanoseconds: UInt64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let text = parts.drop { $0.0 == 0 }.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
        return text.isEmpty ? "0 s" : text
    }
}

extension Privacy {
    fileprivate var meaning: String {
        switch self {
        case .keepAddress: "0, the client's address is kept"
        case .maskAddress: "1, the client's address is masked"
        case .dropAddress: "2, address and user agent are dropped"
        case .anonymous: "3, no address, user agent, profile or subscription"
        }
    }
}

extension LinkDamage {
    /// For people; devices are never told.
    fileprivate var meaning: String {
        switch self {
        case .truncated: "the token is shorter than any: the end was cut off"
        case .alphabet: "the token holds a character that none has"
        case .letterCase: "something on the way changed upper and lower case"
        case .unknownKey: "no key of this ring has its key id"
        case .retiredKey: "its key is retired"
        case .authentication: "it was changed on the way, or made with another deployment's key"
        case .version: "a newer version made it"
        case .wrongKind: "an ack link under the open path, or the other way round"
        case .body: "it is genuine but its message can't be read"
        case .overlong: "the token is longer than any"
        case .quotedPrintable: "quoted-printable mail encoding was left in it"
        }
    }
}

extension EventKind {
    fileprivate var name: String { self == .ack ? "ack" : "open" }
}

extension JSONWriter {
    mutating func explanation(_ explanation: LinkExplanation) {
        self.beginObject()
        for (name, value) in explanation.fields {
            self.key(name.replacing(" ", with: "_"))
            self.string(value)
        }
        self.key("events")
        self.beginArray()
        for event in explanation.events {
            self.beginObject()
            self.key("kind")
            self.string(event.kind.name)
            self.key("first")
            self.bool(event.isFirst)
            self.key("received_at")
            self.string(timeText(microseconds: event.receivedAt))
            self.key("dialect")
            self.string(event.dialect.name)
            self.key("class")
            self.string(event.eventClass.name)
            self.endObject()
        }
        self.endArray()
        self.endObject()
    }
}
