/// How many bytes a provider counts of a payload: some that are fixed, and its holes' values. Tokens are never counted.
struct PayloadSize: Sendable, Equatable {
    private(set) var fixedBytes = 0
    private(set) var holes: [PayloadHole] = []

    /// The node's JSON text: what APNs and HMS count.
    static func json(_ node: PayloadNode) -> PayloadSize {
        var size = PayloadSize()
        size.addText(of: node)
        return size
    }

    /// Names and values of a map of strings, without quotes and escapes: what FCM counts.
    static func strings(_ members: [PayloadMember]) -> PayloadSize {
        var size = PayloadSize()
        for member in members {
            size.fixedBytes += member.name.utf8.count
            switch member.value {
            case .string(let text): size.fixedBytes += text.utf8.count
            case .hole(let hole): size.add(hole)
            case .text(let node): size.addText(of: node)
            default: preconditionFailure("a map of strings holds something else")
            }
        }
        return size
    }

    private mutating func addText(of node: PayloadNode) {
        for piece in PayloadText(node).pieces {
            switch piece {
            case .bytes(let bytes): self.fixedBytes += bytes.count
            case .hole(let hole): self.add(hole)
            }
        }
    }

    private mutating func add(_ hole: PayloadHole) {
        if hole != .token && hole != .topic && hole != .topicPath { self.holes.append(hole) }
    }

    func bytes(with values: PayloadValues) -> Int {
        self.holes.reduce(self.fixedBytes) { $0 + values.bytes(of: $1) }
    }
}
