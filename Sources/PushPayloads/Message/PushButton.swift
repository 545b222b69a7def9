import StrictJSON

/// An action below a notification: what it says and what it opens.
struct PushButton: Sendable, Equatable {
    var label = ""
    var link = ""

    /// Reads an array of `{label, link}`, both required.
    static func readAll(
        _ value: JSONValue, at base: FieldBase, countMax: Int, _ faults: inout FieldFaults
    ) -> [PushButton] {
        guard case .array(let items) = value else {
            faults.add(base.place, .type, "Must be an array of objects.")
            return []
        }
        if items.count > countMax {
            faults.add(base.place, .tooMany, "This provider's clients take at most \(countMax) buttons.")
        }
        return items.enumerated().map { PushButton($1, at: .item(of: base, index: $0), &faults) }
    }

    private init(_ value: JSONValue, at base: FieldBase, _ faults: inout FieldFaults) {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return
        }
        for member in members {
            switch member.name {
            case "label" where member.value != .null:
                self.label = faults.value(of: member, at: base, FieldValue.name) ?? ""
            case "link" where member.value != .null:
                self.link = faults.value(of: member, at: base, FieldValue.link) ?? ""
            case "label", "link": break
            default: faults.addUnknownField(member.name, at: base)
            }
        }
        faults.require("label", in: members, at: base)
        faults.require("link", in: members, at: base)
    }

    /// Strings only and in this order: one number or null among them makes the iOS SDK drop every button.
    var node: PayloadNode {
        .object([PayloadMember("label", .string(self.label)), PayloadMember("link", .string(self.link))])
    }
}
