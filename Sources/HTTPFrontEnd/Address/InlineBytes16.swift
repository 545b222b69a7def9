/// 16 bytes without a heap allocation, network order.
package struct InlineBytes16: Hashable, Sendable {
    /// The bytes as one number: the first byte on the wire is the most significant one.
    package var value: UInt128

    package init(value: UInt128) { self.value = value }
}
