/// JSON as a border needs it, where Foundation's readers fall short: integers are exact at any size, duplicate keys and
/// depth are refused, every fault has a stable code and a byte offset.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number's own text, of RFC 8259's grammar. See `int64`, `uint64`, `uint128`, `double`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In order of appearance.
    case object([JSONMember])

    /// The greatest `depthMax` that a caller may ask for: each level is one frame of the reader's stack.
    package static let depthLimit = 512
    /// What a caller gets that asks for nothing else.
    package static let depthDefault = 64

    /// Reads one RFC 8259 text: UTF-8 without a byte order mark, one value, white space around it and nothing else.
    ///
    /// `depthMax` counts arrays and objects inside one another (1…`depthLimit`); a scalar has depth 0.
    ///
    /// - Parameter replacesLoneSurrogates: Half of a surrogate pair becomes U+FFFD instead of being refused: JavaScript writes
    ///   such halves where a text was cut within an emoji.
    package init(
        parsing bytes: RawSpan, depthMax: Int = Self.depthDefault, replacesLoneSurrogates: Bool = false
    ) throws(JSONError) {
        precondition((1...Self.depthLimit).contains(depthMax), "depthMax is 1…\(Self.depthLimit)")
        self = try bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue in
            var reader = JSONReader(buffer, depthMax: depthMax, replacesLoneSurrogates: replacesLoneSurrogates)
            return try reader.document()
        }
    }

    /// The member of that name; nil when there is none or this is no object. Names are compared byte by byte.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        for member in members where isSameName(member.name, key) { return member.value }
        return nil
    }
}

package struct JSONMember: Sendable, Equatable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// RFC 8259 section 8.3 compares names code unit by code unit; Swift's `==` also equates canonical equivalents, and is
/// the quick way to say no.
func isSameName(_ a: String, _ b: String) -> Bool { a == b && a.utf8.elementsEqual(b.utf8) }
