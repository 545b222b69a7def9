import StrictJSON
import Testing

@testable import PushPayloads

/// An Altcraft payload and its parts, found where the vendor's document has them.
struct AltcraftPayload {
    static let providers = [
        "android-firebase", "ios-firebase", "ios-apns", "ios-appmetrica", "android-appmetrica", "android-huawei",
        "ios-huawei", "android-rustore", "android-firebase-legacy",
    ]
    /// Those whose notification is an APNs payload.
    static let apple = ["ios-firebase", "ios-apns", "ios-huawei"]
    /// Those that have a map of strings.
    static let dataMaps = ["android-firebase", "android-huawei", "android-rustore", "android-firebase-legacy"]
    static let appMetrica = ["ios-appmetrica", "android-appmetrica"]

    let provider: String
    let payload: String
    let delivery: String?
    private let root: JSONValue

    init(_ provider: String, payload: String, delivery: String?) throws {
        self.provider = provider
        self.payload = payload
        self.delivery = delivery
        self.root = try JSONValue(parsing: Array(payload.utf8).span.bytes)
    }

    init(_ provider: String, _ rendered: Rendered) throws {
        try self.init(provider, payload: rendered.payload, delivery: rendered.delivery)
    }

    /// A message with a title, a group for AppMetrica, and `fields` (JSON members).
    init(
        _ provider: String, _ fields: String = "", isDocumented: Bool = false, hasAkUID: Bool = false,
        token: String = "token-1"
    ) throws {
        var request = Rendered.Request(provider, Self.message(fields))
        request.isDocumented = isDocumented
        request.hasAkUID = hasAkUID
        request.token = token
        try self.init(provider, Rendered(request))
    }

    static func message(_ fields: String) -> String {
        #"{"title":"T","appmetrica":{"group_id":1}"# + (fields.isEmpty ? "" : ",") + fields + "}"
    }

    /// The value at a path of names and indices; a string on the way is read as JSON.
    subscript(_ path: String) -> JSONValue? {
        var value: JSONValue? = self.root
        for name in path.split(separator: "/") {
            if case .string(let text)? = value { value = try? JSONValue(parsing: Array(text.utf8).span.bytes) }
            if case .array(let items)? = value, let index = Int(name), items.indices.contains(index) {
                value = items[index]
            } else {
                value = value?[String(name)]
            }
        }
        return value
    }

    /// Where the custom fields are: the data map, the APNs payload, AppMetrica's `data`.
    private var fieldsPath: String {
        switch self.provider {
        case "android-firebase": "message/android/data"
        case "android-huawei", "android-rustore": "message/data"
        case "android-firebase-legacy": "data"
        case "ios-firebase", "ios-huawei": "message/apns/payload"
        case "ios-apns": ""
        default: "\(self.pushPath)/content/data"
        }
    }

    /// The platform's object in AppMetrica's batch.
    private var pushPath: String {
        "push_batch_request/batch/0/messages/" + (self.provider == "ios-appmetrica" ? "iOS" : "android")
    }

    func field(_ name: String) -> JSONValue? { self["\(self.fieldsPath)/\(name)"] }
    func push(_ path: String) -> JSONValue? { self["\(self.pushPath)/\(path)"] }

    var fields: [JSONMember] {
        get throws {
            var value = try #require(self[self.fieldsPath])
            if case .string(let text) = value { value = try JSONValue(parsing: Array(text.utf8).span.bytes) }
            return try #require(value.members)
        }
    }

    /// A header field of APNs, wherever the provider has it.
    func header(_ name: String) throws -> JSONValue? {
        guard self.provider == "ios-apns" else { return self["message/apns/headers/\(name)"] }
        guard let delivery = self.delivery else { return nil }
        return try JSONValue(parsing: Array(delivery.utf8).span.bytes)[name]
    }

    /// What the provider counts of a payload to `token-1`, worked out from the finished text.
    var countedBytes: Int {
        get throws {
            switch self.provider {
            case "android-firebase", "android-firebase-legacy", "android-rustore":
                try self.fields.reduce(0) { $0 + $1.name.utf8.count + ($1.value.text?.utf8.count ?? 0) }
            case "ios-firebase": try #require(self[self.fieldsPath]).bytes.count
            case "ios-apns": self.payload.utf8.count
            case "android-huawei", "ios-huawei": self.payload.utf8.count - "token-1".utf8.count
            default: try #require(self["push_batch_request/batch/0/messages"]).bytes.count
            }
        }
    }
}

extension JSONValue {
    /// Its compact text: two values are the same only when these are, because `==` equates canonical equivalents.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
