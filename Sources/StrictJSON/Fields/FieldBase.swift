/// Where an object stands in a body, so that a pointer is only built when there is a fault to point at.
package indirect enum FieldBase: Sendable {
    case root
    case element(of: StaticString, index: Int)
    case member(of: FieldBase, name: String)
    case item(of: FieldBase, index: Int)

    package func place(_ name: String) -> FieldFault.Place {
        .pointer(JSONPointer.child(self.pointer, Self.cut(name)))
    }

    /// The object itself.
    package var place: FieldFault.Place { .pointer(self.pointer) }

    /// A name is the client's and may be megabytes; even one character of it may.
    package static let nameBytesMax = 200

    /// The name's beginning, whole scalars of UTF-8.
    private static func cut(_ name: String) -> String {
        guard name.utf8.count > Self.nameBytesMax else { return name }
        var bytes = 0
        return String(
            name.unicodeScalars.prefix { scalar in
                bytes += UTF8.width(scalar)
                return bytes <= Self.nameBytesMax
            })
    }

    private var pointer: String {
        switch self {
        case .root: ""
        case .element(let array, let index): JSONPointer.child("/\(array)", index)
        case .member(let base, let name): JSONPointer.child(base.pointer, Self.cut(name))
        case .item(let base, let index): JSONPointer.child(base.pointer, index)
        }
    }
}
