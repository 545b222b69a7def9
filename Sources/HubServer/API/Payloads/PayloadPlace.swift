package import StrictJSON

/// Where the message stands in a body and in a line.
package enum PayloadPlace {
    package static let message = FieldBase.member(of: .root, name: "message")
}
