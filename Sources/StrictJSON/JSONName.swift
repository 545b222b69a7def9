/// A member's name as a key: equal by bytes (RFC 8259 section 8.3), unlike `String`.
package struct JSONName: Hashable, Sendable {
    private let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: Self, b: Self) -> Bool { isSameName(a.text, b.text) }

    package func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
