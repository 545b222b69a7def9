/// An address to listen on or a peer's: v4, v6 (v4-mapped reads as v4).
package struct SocketAddress: Hashable, Sendable {
    /// 4 or 16 bytes in network order, in the low `length` bytes.
    package var bytes: InlineBytes16
    /// 4 for v4, 16 for v6.
    package var length: Int
    package var port: UInt16

    package init(v4: UInt32, port: UInt16) {
        self.bytes = InlineBytes16(value: UInt128(v4))
        self.length = 4
        self.port = port
    }

    /// A v4-mapped address (`::ffff:a.b.c.d`) becomes the v4 address that it stands for.
    package init(v6: UInt128, port: UInt16) {
        let isMapped = v6 >> 32 == 0xffff
        self.bytes = InlineBytes16(value: isMapped ? v6 & 0xffff_ffff : v6)
        self.length = isMapped ? 4 : 16
        self.port = port
    }

    /// `[::]`: every address of the machine, v6 and v4.
    var isAnyV6: Bool { self.length == 16 && self.bytes.value == 0 }
}
