import StrictJSON

/// JSON text with holes.
struct PayloadText: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case bytes([UInt8])
        case hole(PayloadHole)
    }

    private(set) var pieces: [Piece] = []

    init(_ node: PayloadNode) { self.append(node) }

    private mutating func append(_ node: PayloadNode) {
        switch node {
        case .null: self.append("null")
        case .bool(let bool): self.append(bool ? "true" : "false")
        case .number(let text): self.append(text)
        case .string(let text): self.append(bytes: Self.quoted(text))
        case .array(let items):
            self.append("[")
            for (index, item) in items.enumerated() {
                if index > 0 { self.append(",") }
                self.append(item)
            }
            self.append("]")
        case .object(let members):
            self.append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { self.append(",") }
                self.append(bytes: Self.quoted(member.name))
                self.append(":")
                self.append(member.value)
            }
            self.append("}")
        case .hole(let hole):
            self.append("\"")
            self.pieces.append(.hole(hole))
            self.append("\"")
        case .numberHole(let hole):
            self.pieces.append(.hole(hole))
        case .text(let node):
            self.append("\"")
            for piece in PayloadText(node).pieces {
                switch piece {
                // A piece ends where a hole begins, never inside a character.
                case .bytes(let bytes):
                    self.append(bytes: Self.quoted(String(decoding: bytes, as: UTF8.self)).dropFirst().dropLast())
                case .hole: self.pieces.append(piece)
                }
            }
            self.append("\"")
        }
    }

    private mutating func append(_ text: String) { self.append(bytes: text.utf8) }

    private mutating func append(bytes: some Collection<UInt8>) {
        guard case .bytes(var last)? = self.pieces.last else { return self.pieces.append(.bytes(Array(bytes))) }
        self.pieces.removeLast()
        last.append(contentsOf: bytes)
        self.pieces.append(.bytes(last))
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.string(text)
        return json.bytes
    }
}
