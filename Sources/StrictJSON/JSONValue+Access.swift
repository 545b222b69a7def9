/// The value in the type that a caller wants, or nil: never a conversion that loses anything.
extension JSONValue {
    /// Exact, or nil. A number written `1e3` or `1.0` is no integer.
    package var int64: Int64? { self.integer() }
    /// Exact, or nil. A number written `1e3` or `1.0` is no integer.
    package var uint64: UInt64? { self.integer() }
    /// Exact, or nil. A number written `1e3` or `1.0` is no integer.
    package var uint128: UInt128? { self.integer() }

    /// The nearest double; nil when this is no number or its magnitude is beyond a double's.
    package var double: Double? {
        guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    package var text: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var boolean: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var items: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    package var members: [JSONMember]? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    private func integer<Integer: FixedWidthInteger>() -> Integer? {
        guard case .number(let text) = self else { return nil }
        return Integer(text)
    }
}
