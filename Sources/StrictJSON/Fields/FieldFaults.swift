/// Every fault of one request or line, in the order found. Lists the first of them and counts them all: a hostile body of
/// millions of bad fields must not be answered with gigabytes.
package struct FieldFaults: Sendable {
    package static let listedMax = 1_000
    /// Of the listed faults' pointers and details, as JSON strings.
    package static let listedBytesMax = 256 << 10

    package private(set) var listed: [FieldFault] = []
    package private(set) var total = 0
    private var listedBytes = 0
    /// Whether a fault was left out: those after it are too, so that the list is what was found first.
    private var isFull = false

    package init() {}

    package var isEmpty: Bool { self.total == 0 }

    package mutating func add(
        _ place: @autoclosure () -> FieldFault.Place, _ code: FieldFault.Code, _ detail: String
    ) {
        self.total += 1
        if !self.isFull { self.list(FieldFault(place: place(), code: code, detail: detail)) }
    }

    private mutating func list(_ fault: FieldFault) {
        let bytes = self.listedBytes + fault.textBytes
        guard self.listed.count < Self.listedMax, bytes <= Self.listedBytesMax else {
            self.isFull = true
            return
        }
        self.listedBytes = bytes
        self.listed.append(fault)
    }

    package mutating func add(_ place: @autoclosure () -> FieldFault.Place, _ reason: FieldReason) {
        self.add(place(), reason.code, reason.detail)
    }

    /// Those of another part of the same request.
    package mutating func add(_ others: FieldFaults) {
        self.total += others.total
        for fault in others.listed where !self.isFull { self.list(fault) }
        self.isFull = self.isFull || others.isFull
    }

    /// The member's value as `read` understands it; a refusal becomes a fault at the member.
    package mutating func value<Value>(
        of member: JSONMember, at base: FieldBase, _ read: (JSONValue) throws(FieldReason) -> Value
    ) -> Value? {
        do {
            return try read(member.value)
        } catch {
            self.add(base.place(member.name), error)
            return nil
        }
    }

    /// A fault at a member that the object has no field for.
    package mutating func addUnknownField(_ name: String, at base: FieldBase) {
        self.add(base.place(name), .unknownField, "There is no such field.")
    }

    /// A fault when the member is absent or null.
    package mutating func require(_ name: String, in members: [JSONMember], at base: FieldBase) {
        if !members.contains(where: { $0.name == name && $0.value != .null }) {
            self.add(base.place(name), .required, "Required.")
        }
    }
}
