import StrictJSON

/// A payload as a tree: JSON with places left open. Members keep their order, so the same message gives the same bytes.
indirect enum PayloadNode: Sendable, Equatable {
    case bool(Bool)
    /// The number's own text.
    case number(String)
    case string(String)
    case array([PayloadNode])
    case object([PayloadMember])
    case null
    /// A string that is all the hole's value.
    case hole(PayloadHole)
    /// A number that is all the hole's value.
    case numberHole(PayloadHole)
    /// A string that holds the node's JSON text.
    case text(of: PayloadNode)
}

struct PayloadMember: Sendable, Equatable {
    var name: String
    var value: PayloadNode

    /// By bytes, as JSON compares names: Swift's `==` also equates canonical equivalents.
    func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

    init(_ name: String, _ value: PayloadNode) {
        self.name = name
        self.value = value
    }
}

extension PayloadNode {
    static func integer(_ value: Int64) -> PayloadNode { .number(String(value)) }

    /// Whether this is the number 1, however it is written: `1.0` and `1e0` too.
    var isOne: Bool {
        guard case .number(let text) = self else { return false }
        return Double(text) == 1
    }

    /// As it came.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map(PayloadNode.init))
        case .object(let members):
            self = .object(members.map { PayloadMember($0.name, PayloadNode($0.value)) })
        }
    }

    /// The value where only strings may stand: strings as they are, all else as its JSON text.
    var asString: PayloadNode {
        switch self {
        case .string, .hole, .text: self
        case .bool(let bool): .string(bool ? "true" : "false")
        case .number(let text): .string(text)
        case .numberHole(let hole): .hole(hole)
        case .null, .array, .object: .text(of: self)
        }
    }
}

extension [PayloadMember] {
    subscript(name: String) -> PayloadNode? { self.first { $0.isNamed(name) }?.value }

    /// Appends unless there is no value.
    mutating func add(_ name: String, _ value: PayloadNode?) {
        if let value { self.append(PayloadMember(name, value)) }
    }

    /// `overrides` laid over it by name, each in the place of the member that it replaces, else at the end.
    ///
    /// - Parameter recursively: Whether an object over an object is merged with it; if not, it replaces the whole.
    func merged(with overrides: [PayloadMember], recursively: Bool = true) -> [PayloadMember] {
        var merged = self
        var places = PayloadMemberPlaces()
        for member in overrides {
            guard let place = places.place(of: member.name, in: merged) else {
                merged.append(member)
                continue
            }
            if recursively, case .object(let old) = merged[place].value, case .object(let new) = member.value {
                merged[place].value = .object(old.merged(with: new))
            } else {
                merged[place].value = member.value
            }
        }
        return merged
    }
}
