import StrictJSON

@testable import PushPayloads

/// What the vendor's document says must be in the payload of a message, worked out from the message's JSON and compared
/// byte by byte: Swift's `==` would take canonical equivalents for the same.
struct AltcraftExpectation {
    private let message: JSONValue
    private let provider: String
    private let isDocumented: Bool

    init(_ message: JSONValue, _ provider: String, isDocumented: Bool) {
        self.message = message
        self.provider = provider
        self.isDocumented = isDocumented
    }

    private var isMap: Bool { AltcraftPayload.dataMaps.contains(self.provider) }
    private var isApple: Bool { AltcraftPayload.apple.contains(self.provider) }

    /// All that is not as it must be.
    func differences(from payload: AltcraftPayload, bytes: Int) throws -> [String] {
        let fields = try payload.fields
        var differences: [String] = []
        func expect(_ name: String, _ actual: JSONValue?, _ expected: JSONValue?) {
            if actual?.bytes != expected?.bytes { differences.append(name) }
        }
        func field(_ name: String) -> JSONValue? { Self.value(name, in: fields) }

        if self.isMap {
            expect("_title", field("_title"), self.text("title"))
            expect("_body", field("_body"), self.text("body"))
            expect("_icon", field("_icon"), self.optional("icon"))
            expect("_image", field("_image"), self.optional("image"))
            expect("_color", field("_color"), self.optional("color"))
            expect("_click_action", field("_click_action"), self.optional("click_url"))
            for member in fields where member.value.text == nil { differences.append("\(member.name) is no string") }
        } else if self.isApple {
            let alert = field("aps")?["alert"]
            expect("title", alert?["title"], self.text("title"))
            expect("body", alert?["body"], self.text("body"))
            expect("subtitle", alert?["subtitle"], self.optional("subtitle"))
            let sound = self.given("soundless") == .bool(true) ? .string("") : self.given("sound")
            expect("sound", field("aps")?["sound"], sound ?? .string("default"))
            expect("_media", field("_media"), self.optional("image"))
            expect("_click-url", field("_click-url"), self.optional("click_url"))
        } else {
            expect("title", payload.push("content/title"), self.text("title"))
            expect("text", payload.push("content/text"), self.text("body"))
            let link = payload.push("open_action/url").flatMap { $0 == .string("") ? nil : $0 }
            expect(
                "open_action", link ?? payload.push("open_action/deeplink"), self.optional("click_url"))
        }
        if self.isMap || self.isApple {
            let buttons = self.given("buttons")?.items ?? []
            expect("_buttons", try Self.parsed(field("_buttons")), .array(buttons))
        }
        let custom = self.custom
        for member in custom {
            let actual = field(member.name)
            guard self.isMap else {
                expect("data \(member.name)", actual, member.value)
                continue
            }
            switch member.value {
            case .object, .array: expect("data \(member.name)", try Self.parsed(actual), member.value)
            default: expect("data \(member.name)", actual, .string(Self.plain(member.value)))
            }
        }
        // These and no others, least of all the other platform's, end the object.
        let names = Set(fields.suffix(custom.count).map { Array($0.name.utf8) })
        let system = fields.dropLast(custom.count).filter { !Self.systemNames.contains($0.name) }
        if names != Set(custom.map { Array($0.name.utf8) }) || !system.isEmpty { differences.append("custom names") }
        let counted = try payload.countedBytes
        if bytes != counted { differences.append("counts \(bytes) bytes, not \(counted)") }
        return differences
    }

    private static let systemNames: Set<String> = [
        "_ac_push", "_uid", "ak_uid", "_launch_id", "_title", "_body", "_provider", "_icon", "_click_action",
        "_click-url", "_color", "_image", "_media", "_vibration", "_soundless", "_hub_link", "_buttons", "aps",
        "hub_link", "icon", "media",
    ]

    /// The base's fields, those of the platform in their place or after them.
    private var custom: [JSONMember] {
        var custom = self.given("data")?.members ?? []
        let platform = self.provider.hasPrefix("ios") ? "ios" : "android"
        for member in self.given(platform)?["data"]?.members ?? [] {
            custom.removeAll { $0.name.utf8.elementsEqual(member.name.utf8) }
            custom.append(member)
        }
        return custom
    }

    private func given(_ name: String) -> JSONValue? {
        self.message[name].flatMap { $0 == .null ? nil : $0 }
    }

    private func text(_ name: String) -> JSONValue { self.given(name) ?? .string("") }

    /// An empty text, as only a subtitle can be, is an absent one.
    private func optional(_ name: String) -> JSONValue? {
        let value = self.given(name).flatMap { $0 == .string("") ? nil : $0 }
        return value ?? (self.isDocumented ? .string("") : nil)
    }

    private static func plain(_ value: JSONValue) -> String {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let bool): "\(bool)"
        default: "null"
        }
    }

    private static func value(_ name: String, in members: [JSONMember]) -> JSONValue? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    private static func parsed(_ value: JSONValue?) throws -> JSONValue? {
        guard case .string(let text)? = value else { return nil }
        return try JSONValue(parsing: Array(text.utf8).span.bytes)
    }
}
