import StrictJSON

/// What is wrong with one field, parameter or header of a request.
struct FieldFault: Error, Sendable, Equatable {
    enum Place: Sendable, Equatable {
        /// RFC 6901, into the JSON body (of the line, for NDJSON).
        case pointer(String)
        /// A query parameter's name.
        case parameter(String)
    }

    /// Stable, for programs.
    enum Code: String, Sendable, CaseIterable {
        case required
        case unknownField = "unknown_field"
        case unknownParameter = "unknown_parameter"
        case repeated
        case type
        case invalid
        case outOfRange = "out_of_range"
        case unknownValue = "unknown_value"
        case empty
        case tooMany = "too_many"
    }

    var place: Place
    var code: Code
    /// For people; never repeats a value from the request.
    var detail: String
}

/// Why a value is refused, before it is known where it stood.
struct FieldReason: Error, Sendable, Equatable {
    var code: FieldFault.Code
    var detail: String
}

/// Every fault of one request or line, in the order found. Lists the first `listedMax` and counts them all: a hostile body
/// of millions of bad fields must not be answered with gigabytes.
struct FieldFaults: Sendable {
    static let listedMax = 1_000

    private(set) var listed: [FieldFault] = []
    private(set) var total = 0

    var isEmpty: Bool { self.total == 0 }

    mutating func add(_ place: @autoclosure () -> FieldFault.Place, _ code: FieldFault.Code, _ detail: String) {
        self.total += 1
        guard self.listed.count < Self.listedMax else { return }
        self.listed.append(FieldFault(place: place(), code: code, detail: detail))
    }

    mutating func add(_ place: @autoclosure () -> FieldFault.Place, _ reason: FieldReason) {
        self.add(place(), reason.code, reason.detail)
    }
}

/// Where an object stands in a body, so that a pointer is only built when there is a fault to point at.
enum FieldBase: Sendable {
    case root
    case element(of: StaticString, index: Int)

    func place(_ name: String) -> FieldFault.Place {
        // The name is the client's and may be megabytes.
        .pointer(JSONPointer.child(self.pointer, String(name.prefix(Self.nameCharactersMax))))
    }

    /// The object itself.
    var place: FieldFault.Place { .pointer(self.pointer) }

    static let nameCharactersMax = 200

    private var pointer: String {
        switch self {
        case .root: ""
        case .element(let array, let index): JSONPointer.child("/\(array)", index)
        }
    }
}
