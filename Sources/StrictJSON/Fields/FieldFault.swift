/// What is wrong with one field, parameter or header of a request.
package struct FieldFault: Error, Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// RFC 6901, into the JSON body (of the line, for NDJSON).
        case pointer(String)
        /// A query parameter's name.
        case parameter(String)
    }

    /// Stable, for programs. A module adds its own in an extension.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let required = Code(rawValue: "required")
        package static let unknownField = Code(rawValue: "unknown_field")
        package static let unknownParameter = Code(rawValue: "unknown_parameter")
        package static let repeated = Code(rawValue: "repeated")
        package static let type = Code(rawValue: "type")
        package static let invalid = Code(rawValue: "invalid")
        package static let outOfRange = Code(rawValue: "out_of_range")
        package static let unknownValue = Code(rawValue: "unknown_value")
        package static let empty = Code(rawValue: "empty")
        package static let tooMany = Code(rawValue: "too_many")
        package static let tooLong = Code(rawValue: "too_long")
    }

    package var place: Place
    package var code: Code
    /// For people; never repeats a value from the request.
    package var detail: String

    package init(place: Place, code: Code, detail: String) {
        self.place = place
        self.code = code
        self.detail = detail
    }

    /// The bytes of place and detail as JSON strings.
    var textBytes: Int {
        switch self.place {
        case .pointer(let text), .parameter(let text): JSONLength.bytes(of: text) + JSONLength.bytes(of: self.detail)
        }
    }
}

/// Why a value is refused, before it is known where it stood.
package struct FieldReason: Error, Sendable, Hashable {
    package var code: FieldFault.Code
    package var detail: String

    package init(code: FieldFault.Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}
