/// RFC 6901 pointers as text: how an answer names the field that is at fault.
package enum JSONPointer {
    /// One reference token: `~` becomes `~0` and `/` becomes `~1` (section 3).
    package static func escape(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The pointer of a member of the object at `parent`; the whole document is "".
    package static func child(_ parent: String, _ name: String) -> String { parent + "/" + self.escape(name) }

    /// The pointer of an item of the array at `parent`.
    package static func child(_ parent: String, _ index: Int) -> String { "\(parent)/\(index)" }
}
