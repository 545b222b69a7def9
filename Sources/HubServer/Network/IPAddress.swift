import EventStore
import Glibc
package import HTTPFrontEnd
package import MessageIDs

/// A v4 or v6 address without a port, as a number; v4-mapped v6 reads as v4. A plain value: no allocation anywhere.
package struct IPAddress: Hashable, Sendable {
    /// Network order read as one number, in the low `length` bytes.
    package var value: UInt128
    /// 4 or 16 bytes; 0 is "none".
    package var length: Int

    package static let none = IPAddress(value: 0, length: 0)

    package init(value: UInt128, length: Int) {
        self.value = value
        self.length = length
        // ::ffff:0:0/96 counts as v4 (design section 5).
        if length == 16, value >> 32 == 0xFFFF {
            self.value = value & 0xFFFF_FFFF
            self.length = 4
        }
    }

    package init(_ peer: SocketAddress) { self.init(value: peer.bytes.value, length: peer.length) }

    /// The text of one address: dotted quad or RFC 4291, without port, brackets or zone; nil for anything else.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span.bytes, 0..<bytes.count)
    }

    init?(_ bytes: RawSpan, _ range: Range<Int>) {
        // The longest: 45 characters of a v4-mapped v6.
        guard !range.isEmpty, range.count <= 45 else { return nil }
        var text: InlineArray<46, CChar> = .init(repeating: 0)
        var isV6 = false
        for offset in 0..<range.count {
            let byte = bytes.unsafeLoad(fromByteOffset: range.lowerBound + offset, as: UInt8.self)
            guard byte != 0 else { return nil }
            isV6 = isV6 || byte == UInt8(ascii: ":")
            text[offset] = CChar(bitPattern: byte)
        }
        var parsed: UInt128 = 0
        let ok = text.span.withUnsafeBufferPointer { text in
            inet_pton(isV6 ? AF_INET6 : AF_INET, text.baseAddress!, &parsed)
        }
        guard ok == 1 else { return nil }
        if isV6 {
            self.init(value: UInt128(bigEndian: parsed), length: 16)
        } else {
            self.init(value: UInt128(UInt32(bigEndian: UInt32(truncatingIfNeeded: parsed))), length: 4)
        }
    }

    /// As much of it as an event of a message with this privacy may keep.
    package func kept(by privacy: Privacy) -> IPAddress {
        let kept = privacy.keptAddress(self.value, length: self.length)
        return IPAddress(value: kept.value, length: kept.length)
    }
}
