package import StrictJSON

/// Where the message stands in a body and in a line.
package enum PayloadPlace {
    package static let message = FieldBase.member(of: .root, name: "message")
    /// The levels of arrays and objects that a message may have by itself: the body around it is one more.
    package static let messageDepthMax = JSONValue.depthDefault - 1
}
