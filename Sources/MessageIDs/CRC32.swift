/// CRC-32 as in IEEE 802.3 (reflected, polynomial 0xEDB88320), eight bytes a step.
package enum CRC32 {
    /// The checksum of one prefix byte and `bytes`: what ids carry (design section 3).
    package static func checksum(prefix: UInt8, _ bytes: Span<UInt8>) -> UInt32 {
        self.tables.withUnsafeBufferPointer { tables in
            var crc = Self.step(~0, prefix, tables)
            var offset = 0
            while offset &+ 8 <= bytes.count {
                crc = Self.eight(crc, bytes, offset, tables)
                offset &+= 8
            }
            while offset < bytes.count {
                crc = Self.step(crc, bytes[offset], tables)
                offset &+= 1
            }
            return ~crc
        }
    }

    private static func step(_ crc: UInt32, _ byte: UInt8, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        tables[Int((crc ^ UInt32(byte)) & 0xff)] ^ (crc >> 8)
    }

    /// Table k answers for a byte that k more bytes follow, so the eight look-ups do not wait for each other.
    private static func eight(
        _ crc: UInt32, _ bytes: Span<UInt8>, _ offset: Int, _ tables: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian ^ UInt64(crc)
        var result: UInt32 = 0
        for place in 0..<8 {
            let byte = Int(truncatingIfNeeded: (word &>> UInt64(place &* 8)) & 0xff)
            result ^= tables[(7 &- place) &* 256 &+ byte]
        }
        return result
    }

    /// Eight tables of 256, one after the other.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for index in 0..<256 {
            var crc = UInt32(index)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xedb8_8320 }
            tables[index] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = tables[Int(before & 0xff)] ^ (before >> 8)
        }
        return tables
    }()
}
