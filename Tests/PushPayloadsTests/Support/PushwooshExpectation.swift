import MessageIDs
import StrictJSON

@testable import PushPayloads

/// What a right notification of the fuzzer must become, worked out from its JSON alone: no code is the renderers'.
struct PushwooshExpectation {
    private let notification: PushwooshFuzzer.Notification

    init(_ notification: PushwooshFuzzer.Notification) { self.notification = notification }

    func isEmpty(on platform: String) -> Bool {
        let names =
            platform == "pushwoosh-ios"
            ? ["content", "ios_title", "rich_media"] : ["content", "android_header", "rich_media"]
        let silent = platform == "pushwoosh-ios" ? "ios_silent" : "android_silent"
        // iOS leaves the texts of a silent push out, which is enough of a push.
        return !self.isOn(silent) && names.allSatisfy { self.text($0) == nil }
    }

    func payload(on platform: String) -> JSONValue {
        .object(platform == "pushwoosh-ios" ? self.ios : self.android)
    }

    /// What FCM counts; all values are strings.
    static func fcmBytes(_ payload: JSONValue) -> Int {
        (payload.members ?? []).reduce(0) { $0 + $1.name.utf8.count + ($1.value.text ?? "").utf8.count }
    }

    static func json(_ value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static let hubLink = JSONValue.object([
        JSONMember(name: "open", value: .string(Sample.openLink)),
        JSONMember(name: "ack", value: .string(Sample.ackLink)),
    ])

    private var android: [JSONMember] {
        let root = self.notification["android_root_params"]?.members ?? []
        let values: [(String, String?)] =
            root.map { ($0.name, Self.string($0.value)) } + [
                ("pw_silent", self.isOn("android_silent") ? "1" : nil),
                ("header", self.text("android_header")),
                ("title", self.text("content")),
                ("pw_msg", "1"),
                ("b", self.text("android_banner")),
                ("i", self.text("android_icon")),
                ("l", self.text("link")),
                ("p", Rendered.uid(20)),
                ("s", self.notification["android_sound"]?.text),
                ("u", self.notification["data"].map(Self.json)),
                ("ci", self.text("android_custom_icon")),
                (
                    "rm",
                    self.richMediaURL.map { #"{"url":"\#($0)","ts":"\#(Sample.message.launchedAt / 1_000_000_000)"}"# }
                ),
                ("ibc", self.text("android_ibc")),
                ("led", self.text("android_led")?.lowercased()),
                ("pri", self.notification["android_priority"].map(Self.string)),
                ("vib", self.notification["android_vibration"].map { _ in self.isOn("android_vibration") ? "1" : "0" }),
                ("pw_badges", self.notification["android_badges"].map(Self.string)),
                ("_hub_link", Self.json(Self.hubLink)),
            ]
        return values.compactMap { name, text in text.map { JSONMember(name: name, value: .string($0)) } }
    }

    private var ios: [JSONMember] {
        let root = self.notification["ios_root_params"]?.members ?? []
        let isSilent = self.isOn("ios_silent")
        let alert = Self.object([
            ("title", self.string("ios_title")), ("subtitle", self.string("ios_subtitle")),
            ("body", self.string("content")),
        ])
        let hasAlert = !isSilent && alert != .object([])
        let badge = self.notification["ios_badges"].map { JSONValue.number(Self.string($0)) }
        let one = JSONValue.number("1")
        guard
            case .object(var aps) = Self.object([
                ("alert", hasAlert ? alert : nil), ("badge", isSilent ? nil : badge),
                ("sound", isSilent ? nil : self.string("ios_sound")), ("category", self.string("ios_category_id")),
                ("content-available", isSilent ? one : nil), ("mutable-content", hasAlert ? one : nil),
            ])
        else { return [] }
        aps += root.first { $0.name == "aps" }?.value.members ?? []
        guard
            case .object(let rest) = Self.object([
                ("l", self.string("link")), ("p", .string(Rendered.uid(21))),
                (
                    "rm",
                    self.richMediaURL.map { url in
                        Self.object([
                            ("ts", .number(String(Sample.message.launchedAt / 1_000_000_000))), ("url", .string(url)),
                        ])
                    }
                ),
                ("u", self.notification["data"].map { .string(Self.json($0)) }), ("pw_msg", .string("1")),
                ("_hub_link", Self.hubLink),
            ])
        else { return [] }
        return [JSONMember(name: "aps", value: .object(aps))] + root.filter { $0.name != "aps" } + rest
    }

    private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { JSONMember(name: name, value: $0) } })
    }

    private var richMediaURL: String? {
        self.text("rich_media").map { code in
            let characters = Array(code)
            return "https://richmedia.pushwoosh.com/\(characters[0])/\(characters[1])/\(code).zip"
        }
    }

    /// Scalars as they are read, all else as JSON.
    private static func string(_ value: JSONValue) -> String { value.text ?? Self.json(value) }

    private func text(_ name: String) -> String? {
        guard let text = self.notification[name]?.text, !text.isEmpty else { return nil }
        return text
    }

    private func string(_ name: String) -> JSONValue? { self.text(name).map(JSONValue.string) }

    func isOn(_ name: String) -> Bool {
        switch self.notification[name] {
        case .bool(true)?, .number("1")?, .string("1")?: true
        default: false
        }
    }
}
