import MessageIDs
import StrictJSON

/// One log line as bytes: `{"time":…,"level":…,"message":…,fields…}` and a line end.
enum LogLine {
    /// A longer value is cut, so that a line stays below a pipe's atomic 4096 bytes in all usual cases.
    static let valueBytesMax = 1_024

    /// - Parameter time: UNIX nanoseconds; written in milliseconds.
    static func bytes(time: UInt64, level: Log.Level, message: String, fields: [(String, String)]) -> [UInt8] {
        var line = JSONWriter()
        line.beginObject()
        line.key("time")
        line.string(UnixTime.text(nanoseconds: time - time % 1_000_000, fractionDigitsMin: 3))
        line.key("level")
        line.string(level.rawValue)
        line.key("message")
        line.string(Self.cut(LogRedaction.clean(message)))
        for (name, value) in fields {
            line.key(name)
            line.string(Self.cut(LogRedaction.clean(value, field: name)))
        }
        line.endObject()
        line.newline()
        return line.bytes
    }

    /// Cut at a whole character.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > Self.valueBytesMax else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: Self.valueBytesMax)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}
