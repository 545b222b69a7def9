import MessageIDs
import StrictJSON

@testable import PushPayloads

/// What a payload must hold of a fuzzed message, worked out from the message's JSON without the model that is tested.
struct CarillonExpectation {
    struct Wrong: Error {
        var detail: String
    }

    private let fuzzed: CarillonFuzzer.Case
    private let isIOS: Bool
    private let sent: SendMessageID

    init(_ fuzzed: CarillonFuzzer.Case, platform: String) {
        self.fuzzed = fuzzed
        self.isIOS = platform == "carillon-ios"
        var sent = Sample.message
        sent.provider = Provider(name: platform)!
        self.sent = sent
    }

    func check(_ rendered: Rendered) throws {
        guard rendered.payloadBytes <= 4096 else { throw Wrong(detail: "\(rendered.payloadBytes) bytes") }
        let payload = try rendered.json
        try self.isIOS ? self.checkIOS(payload) : self.checkAndroid(payload)
    }

    private func checkIOS(_ payload: JSONValue) throws {
        let apns = self.fuzzed.message["apns"]
        for name in ["title", "subtitle", "body"] {
            let path = ["aps", "alert", name]
            try Self.expect(payload, path, Self.merged(self.text(name), with: apns, at: path))
        }
        let generated: [(String, JSONValue?)] = [
            ("sound", self.field("sound") ?? .string("default")), ("badge", self.field("badge")),
            ("thread-id", self.field("thread_id")),
            ("mutable-content", self.text("image") == nil ? nil : .number("1")),
        ]
        for (name, value) in generated {
            try Self.expect(payload, ["aps", name], Self.merged(value, with: apns, at: ["aps", name]))
        }
        for member in self.fuzzed.message["data"]?.members ?? [] {
            try Self.expect(payload, [member.name], Self.merged(member.value, with: apns, at: [member.name]))
        }
        try self.expectStamp(in: payload, thread: nil)
    }

    private func checkAndroid(_ payload: JSONValue) throws {
        let message = payload["message"] ?? .null
        try Self.expect(message, ["notification", "title"], self.text("title"))
        try Self.expect(message, ["notification", "body"], self.text("body"))
        try Self.expect(message, ["notification", "subtitle"], nil)
        let override = self.fuzzed.message["android"]
        let generated: [(String, JSONValue?)] = [
            ("sound", self.field("sound") ?? .string("default")), ("image", self.text("image")),
            ("notification_count", self.field("badge")),
        ]
        for (name, value) in generated {
            let path = ["notification", name]
            try Self.expect(message, ["android"] + path, Self.merged(value, with: override, at: path))
        }
        let ttl = self.field("ttl").map { JSONValue.string(Self.string($0) + "s") } ?? .string("259200s")
        try Self.expect(message, ["android", "ttl"], Self.merged(ttl, with: override, at: ["ttl"]))
        try self.expectData(self.fuzzed.message["data"], in: message["data"])
        if let data = override?["data"] { try self.expectData(data, in: message["android"]?["data"]) }
    }

    /// Strings only, all of the sender's that are not the hub's, and the hub's own.
    private func expectData(_ custom: JSONValue?, in data: JSONValue?) throws {
        guard let data, case .object(let members) = data else { throw Wrong(detail: "no data") }
        if members.contains(where: { $0.value.text == nil }) { throw Wrong(detail: "data that are no strings") }
        for member in custom?.members ?? [] where !["carillon", "_hub_link", "ak_uid"].contains(member.name) {
            try Self.expect(data, [member.name], .string(Self.string(member.value)))
        }
        var parsed = members
        for index in parsed.indices where ["carillon", "_hub_link"].contains(parsed[index].name) {
            let text = Array((parsed[index].value.text ?? "").utf8)
            parsed[index].value = try JSONValue(parsing: text.span.bytes)
        }
        try self.expectStamp(in: .object(parsed), thread: self.field("thread_id"))
    }

    private func expectStamp(in payload: JSONValue, thread: JSONValue?) throws {
        let stamp: [(String, JSONValue?)] = [
            ("delivery_id", .string(self.sent.messageKey.text)), ("image", self.text("image")), ("thread_id", thread),
        ]
        let members = stamp.compactMap { name, value in value.map { JSONMember(name: name, value: $0) } }
        try Self.expect(payload, ["carillon"], .object(members))
        let links = [("open", Sample.openLink), ("ack", Sample.ackLink)]
        let link = JSONValue.object(links.map { JSONMember(name: $0, value: .string($1)) })
        try Self.expect(payload, ["_hub_link"], self.fuzzed.isDocumented ? nil : link)
        try Self.expect(payload, ["ak_uid"], self.fuzzed.hasAkUID ? .string(self.sent.text()) : nil)
    }

    // MARK: The message

    /// nil when absent or null.
    private func field(_ name: String) -> JSONValue? { Self.present(self.fuzzed.message[name]) }

    /// The field in the device's locale.
    private func text(_ name: String) -> JSONValue? {
        let locale = self.fuzzed.locale.flatMap { Self.entry[$0] }
        let entries = self.fuzzed.message["localizations"]
        let entry = locale?.lazy.compactMap { entries?[$0] }.first
        return Self.present(entry?[name]) ?? self.field(name)
    }

    /// By a fuzzed recipient's locale, the fuzzed entries that are for it, the nearest first.
    private static let entry: [String: [String]] = [
        "fr": ["fr"], "fr-CA": ["fr"], "pt_BR": ["pt-br", "pt"], "PT-br": ["pt-br", "pt"], "pt": ["pt"],
        "de_DE@x=y": ["de-DE"],
    ]

    private static func present(_ value: JSONValue?) -> JSONValue? { value == .null ? nil : value }

    /// What stands at the path when `override` is laid over a payload that has `generated` there.
    private static func merged(_ generated: JSONValue?, with override: JSONValue?, at path: [String]) -> JSONValue? {
        guard var value = override else { return generated }
        for name in path {
            guard case .object = value else { return nil }
            guard let next = value[name] else { return generated }
            value = next
        }
        return value
    }

    private static func string(_ value: JSONValue) -> String {
        switch value {
        case .bool(let bool): bool ? "true" : "false"
        case .number(let text), .string(let text): text
        default: "no scalar"
        }
    }

    private static func expect(_ payload: JSONValue, _ path: [String], _ expected: JSONValue?) throws {
        var value: JSONValue? = payload
        for name in path { value = value?[name] }
        guard !Self.isSame(value, expected) else { return }
        throw Wrong(detail: "\(path): \(String(describing: value)) is not \(String(describing: expected))")
    }

    /// Byte by byte: `==` takes `é` for an `e` with a combining accent.
    private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)), (.number(let left), .number(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { Self.isSame($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy {
                    $0.name.utf8.elementsEqual($1.name.utf8) && Self.isSame($0.value, $1.value)
                }
        default: left == right
        }
    }
}
