import MessageIDs
import StrictJSON

/// What a converter makes of one row or receipt of a provider.
enum SourceItem: Equatable, Sendable {
    case event(SourceEvent)
    /// It is no event that a hub keeps, or of a message that is none of its: counted under this name.
    case ignored(String)
    /// It can't be understood.
    case refused(code: String, detail: String)
}

/// An event on its way to `POST /v1/ingest`.
struct SourceEvent: Equatable, Sendable {
    var kind: EventKind
    /// Any id that names the message.
    var uid: String
    /// UNIX nanoseconds by the source's clock.
    var at: UInt64
    /// The event's name at the source: a repeat of it counts once.
    var id: String

    /// Its line, without the line feed.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let at = UnixTime.text(nanoseconds: self.at)
        for (name, value) in [("uid", self.uid), ("kind", self.kind.name), ("at", at), ("id", self.id)]
        where !value.isEmpty {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        return writer.bytes
    }
}
