import StrictJSON

/// A method's arguments: an object of the body. Members that nobody asks for are not looked at.
struct PushwooshArguments: Sendable {
    /// Application codes, device ids, hashes and tokens are far shorter.
    static let textBytesMax = 512
    /// Platforms of one call, and the greatest number that is one.
    static let platformsMax = 32
    static let platformNumbers: ClosedRange<Int64> = 0...255

    private let value: JSONValue

    /// The body's `request` object, or the body itself where a method has its arguments there. Browsers send JSON as
    /// text/plain, which spares them the preflight.
    init(_ call: DialectCall, in envelope: String? = "request") throws(DialectRefusal) {
        do {
            _ = try MediaType.of(call.request, among: [.json, .text])
        } catch {
            throw DialectRefusal(.unsupportedMediaType, error.detail)
        }
        let body: JSONValue
        do {
            body = try JSONValue(parsing: call.body.span.bytes, replacesLoneSurrogates: true)
        } catch {
            throw DialectRefusal(.malformed, "The JSON breaks at byte \(error.offset): \(error.code).")
        }
        guard body.members != nil else { throw DialectRefusal(.invalidArgument, "The body must be a JSON object.") }
        guard let envelope else {
            self.value = body
            return
        }
        guard let request = body[envelope], request.members != nil else {
            throw DialectRefusal(.invalidArgument, "\(envelope) must be an object.")
        }
        self.value = request
    }

    /// A text that must be there and not be empty.
    func text(_ name: String) throws(DialectRefusal) -> String {
        guard let text = try self.optionalText(name) else {
            throw DialectRefusal(.invalidArgument, "\(name) is required.")
        }
        return text
    }

    /// nil for an absent, a null and an empty text, which clients send for one another.
    func optionalText(_ name: String) throws(DialectRefusal) -> String? {
        guard let value = self.value[name], !value.isNull else { return nil }
        guard let text = value.text else { throw DialectRefusal(.invalidArgument, "\(name) must be a string.") }
        guard text.utf8.count <= Self.textBytesMax else {
            throw DialectRefusal(.invalidArgument, "\(name) is longer than \(Self.textBytesMax) bytes.")
        }
        return text.isEmpty ? nil : text
    }

    /// `platforms`: empty where there is none, which means all.
    func platforms() throws(DialectRefusal) -> Set<Int64> {
        guard let value = self.value["platforms"], !value.isNull else { return [] }
        guard let items = value.items, items.count <= Self.platformsMax else {
            throw DialectRefusal(
                .invalidArgument, "platforms must be an array of at most \(Self.platformsMax) numbers.")
        }
        var platforms: Set<Int64> = []
        for item in items {
            guard let number = item.int64, Self.platformNumbers.contains(number) else {
                throw DialectRefusal(.invalidArgument, "platforms must hold platform numbers, such as 1 and 3.")
            }
            platforms.insert(number)
        }
        return platforms
    }
}
