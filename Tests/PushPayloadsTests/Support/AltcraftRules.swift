import StrictJSON

/// Which fields of a fuzzed message must be refused, worked out from its JSON by the guide's table of fields: no code is
/// the reader's.
struct AltcraftRules {
    private let message: JSONValue
    private let provider: String

    init(_ message: JSONValue, _ provider: String) {
        self.message = message
        self.provider = provider
    }

    /// The names of the message's members that are at fault; `""` is the message as a whole.
    var faultyFields: Set<String> {
        let members = self.message.members ?? []
        var faulty = Set(members.filter { !self.isRight($0) }.map(\.name))
        if !members.contains(where: {
            ["title", "body"].contains($0.name) && ![.null, .string("")].contains($0.value)
        }) {
            faulty.insert("")
        }
        if AltcraftPayload.appMetrica.contains(self.provider),
            [nil, .null].contains(self.message["appmetrica"]?["group_id"])
        {
            faulty.insert("appmetrica")
        }
        return faulty
    }

    private func isRight(_ member: JSONMember) -> Bool {
        let value = member.value
        let isRight: Bool? =
            switch member.name {
            case "title", "body", "subtitle": Self.bytes(value).map { $0 <= 4096 }
            case "icon": value.text.map(Self.isIcon)
            case "image": value.text.map { $0.hasPrefix("https://host.example/") }
            case "click_url": value.text.map(Self.isLink)
            case "color", "led_color": value.text.map(Self.isColor)
            case "sound": Self.bytes(value).map { (1...256).contains($0) }
            case "vibration", "soundless": value.boolean != nil
            case "priority": value.text.map { ["high", "normal"].contains($0.lowercased()) }
            case "ttl": Self.isInteger(value, atMost: self.provider == "android-huawei" ? 1_296_000 : 2_419_200)
            case "badge": Self.isInteger(value, atMost: 999)
            case "buttons": value.items.map(self.areButtons)
            case "data": self.isData(value)
            case "android", "ios":
                value.members.map { $0.allSatisfy { $0.name == "data" && ($0.value.isNull || self.isData($0.value)) } }
            case "appmetrica": value.members.map { $0.allSatisfy(Self.isOfAppMetrica) }
            default: .some(false)
            }
        return value.isNull && Self.names.contains(member.name) || isRight == true
    }

    private static let names: Set<String> = [
        "title", "body", "subtitle", "icon", "image", "click_url", "color", "led_color", "sound", "vibration",
        "soundless", "priority", "ttl", "badge", "buttons", "data", "android", "ios", "appmetrica",
    ]

    private static func bytes(_ value: JSONValue) -> Int? { value.text?.utf8.count }

    private static func isIcon(_ icon: String) -> Bool {
        guard (1...2048).contains(icon.utf8.count) else { return false }
        if icon.utf8.firstRange(of: "://".utf8) != nil { return icon.hasPrefix("http://host.example/") }
        return !icon.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }

    private static func isLink(_ link: String) -> Bool {
        let scheme = link.unicodeScalars.prefix { $0 != ":" }
        guard let first = scheme.first, first.isASCII, first.properties.isAlphabetic, link.utf8.count <= 2048,
            scheme.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
            }),
            link.unicodeScalars.count > scheme.count + 1
        else { return false }
        let isOfWeb = ["http", "https"].contains(String(scheme).lowercased())
        return (!isOfWeb || link.contains("://host.example/"))
            && link.unicodeScalars.allSatisfy {
                $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) && !$0.properties.isWhitespace
                    && !"\"<>\\^`{|}".unicodeScalars.contains($0)
            }
    }

    private static func isColor(_ color: String) -> Bool {
        [7, 9].contains(color.utf8.count) && color.utf8.first == UInt8(ascii: "#")
            && color.utf8.dropFirst().allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
    }

    private static func isInteger(_ value: JSONValue, atMost most: Int64) -> Bool {
        let text: String
        switch value {
        case .number(let digits), .string(let digits): text = digits
        default: return false
        }
        guard !text.utf8.starts(with: "+".utf8), let integer = Int64(text) else { return false }
        return (0...most).contains(integer)
    }

    private func areButtons(_ buttons: [JSONValue]) -> Bool {
        buttons.count <= (AltcraftPayload.apple.contains(self.provider) ? 3 : 16)
            && buttons.allSatisfy { button in
                guard case .object(let members) = button, members.count == 2 else { return false }
                return (1...256).contains(button["label"].flatMap(Self.bytes) ?? 0)
                    && button["link"]?.text.map(Self.isLink) == true
            }
    }

    private static func isOfAppMetrica(_ member: JSONMember) -> Bool {
        switch member.name {
        case "group_id": member.value.isNull || Self.isInteger(member.value, atMost: .max)
        case "tag": member.value.isNull || (1...256).contains(Self.bytes(member.value) ?? 0)
        default: false
        }
    }

    private func isData(_ data: JSONValue) -> Bool {
        guard case .object(let members) = data, members.count <= 2048 else { return false }
        let bytes = members.reduce(0) { $0 + $1.name.utf8.count + ($1.value.text?.utf8 ?? $1.value.json.utf8).count }
        return bytes <= 4096
            && members.allSatisfy { member in
                !member.value.isNull && (1...256).contains(member.name.utf8.count)
                    && !["google", "gcm"].contains { member.name.utf8.starts(with: $0.utf8) }
                    && !Self.reserved.contains(member.name)
                    && !(self.provider == "ios-appmetrica" && ["icon", "media"].contains(member.name))
            }
    }

    private static let reserved: Set<String> = [
        "_ac_push", "_uid", "ak_uid", "_launch_id", "_title", "_subtitle", "_body", "_provider", "_icon", "_image",
        "_media", "_color", "_click_action", "_click-url", "_vibration", "_soundless", "_hub_link", "hub_link",
        "_buttons", "aps", "from", "message_type", "collapse_key",
    ]
}

extension JSONValue {
    /// Its compact text.
    fileprivate var json: String { String(decoding: self.bytes, as: UTF8.self) }
}
