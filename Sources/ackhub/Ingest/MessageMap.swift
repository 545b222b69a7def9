import CommandLineOptions
import MessageIDs
import StrictJSON

/// Which message a provider's name stands for: what a sender wrote down when the provider answered it.
///
/// A line a message, `{"message_id":…,"uid":…}` or `message_id,uid`. It is kept in memory, about 300 bytes an entry.
struct MessageMap: Sendable {
    static let entriesMax = 5_000_000
    static let lineBytesMax = 4 << 10
    /// What events of other messages are counted under.
    static let unknown = "unknown message"

    private var uids: [String: String] = [:]

    /// Of no message.
    init() {}

    /// - Throws: at the first line that is wrong, by its number: nothing is sent then.
    init(_ lines: inout InputLines) throws {
        while let (number, line) = try lines.next() {
            guard case .text(let bytes) = line, let entry = Self.entry(bytes) else {
                throw CommandError(
                    "line \(number) of the map is neither {\"message_id\":…,\"uid\":…} nor message_id,uid")
            }
            // The heading of a CSV file.
            if number == 1, entry == ("message_id", "uid") { continue }
            guard Self.isID(entry.uid) else {
                throw CommandError("line \(number) of the map: the uid names no message")
            }
            let name = Self.name(entry.id)
            guard self.uids[name].map({ $0 == entry.uid }) ?? true else {
                throw CommandError("line \(number) of the map gives a message_id a second uid")
            }
            self.uids[name] = entry.uid
            guard self.uids.count <= Self.entriesMax else {
                throw CommandError("the map has more than \(Self.entriesMax) entries: split it and the input")
            }
        }
    }

    subscript(_ id: String) -> String? { self.uids[Self.name(id)] }

    /// FCM answers a sender `projects/P/messages/ID`; its export has `ID`.
    static func name(_ id: String) -> String {
        guard let slash = id.utf8.lastIndex(of: UInt8(ascii: "/")) else { return id }
        return String(id[id.utf8.index(after: slash)...])
    }

    /// Whether a hub would read it as the id of a message.
    static func isID(_ text: String) -> Bool {
        if MessageKey(text: text) != nil { return true }
        return text.utf8.first == UInt8(ascii: "U")
            ? (try? UniqueID(text: text)) != nil : (try? SendMessageID(text: text)) != nil
    }

    private static func entry(_ line: [UInt8]) -> (id: String, uid: String)? {
        if line.first == UInt8(ascii: "{") {
            guard let value = try? JSONValue(parsing: line.span.bytes), let id = value["message_id"]?.text,
                let uid = value["uid"]?.text, !id.isEmpty
            else { return nil }
            return (id, uid)
        }
        let columns = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard columns.count == 2, let id = String(validating: columns[0], as: UTF8.self), !id.isEmpty,
            let uid = String(validating: columns[1], as: UTF8.self)
        else { return nil }
        return (id, uid)
    }
}
