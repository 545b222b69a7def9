extension JSONValue {
    /// Whether both are written alike: the same members in the same order, texts and numbers equal byte by byte. `==` also
    /// equates texts that Unicode calls equivalent.
    package func isIdentical(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)): isSameName(a, b)
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let a), .object(let b)):
            a.count == b.count
                && zip(a, b).allSatisfy { isSameName($0.name, $1.name) && $0.value.isIdentical(to: $1.value) }
        default: false
        }
    }
}
