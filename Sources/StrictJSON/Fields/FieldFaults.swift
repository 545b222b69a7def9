/// Every fault of one request or line, in the order found. Lists the first `listedMax` and counts them all: a hostile body
/// of millions of bad fields must not be answered with gigabytes.
package struct FieldFaults: Sendable {
    package static let listedMax = 1_000

    package private(set) var listed: [FieldFault] = []
    package private(set) var total = 0

    package init() {}

    package var isEmpty: Bool { self.total == 0 }

    package mutating func add(
        _ place: @autoclosure () -> FieldFault.Place, _ code: FieldFault.Code, _ detail: String
    ) {
        self.total += 1
        guard self.listed.count < Self.listedMax else { return }
        self.listed.append(FieldFault(place: place(), code: code, detail: detail))
    }

    package mutating func add(_ place: @autoclosure () -> FieldFault.Place, _ reason: FieldReason) {
        self.add(place(), reason.code, reason.detail)
    }

    /// Those of another part of the same request.
    package mutating func add(_ others: FieldFaults) {
        self.total += others.total
        self.listed.append(contentsOf: others.listed.prefix(Self.listedMax - self.listed.count))
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

    /// A fault when the member is absent or null.
    package mutating func require(_ name: String, in members: [JSONMember], at base: FieldBase) {
        if !members.contains(where: { $0.name == name && $0.value != .null }) {
            self.add(base.place(name), .required, "Required.")
        }
    }
}
