import CLinux

/// The frame of a record in a segment: length (4 bytes), CRC-32C (4 bytes), payload. Little-endian, unaligned.
///
/// The checksum covers payload ‖ length ‖ position, in this order: the appender's thread does all of it but the position,
/// which the writer adds with one more step. Because of the position, bytes left from anything else never pass for a
/// record. Length 0 is the untouched zero fill of a segment; `sealMark` in its place, without a payload, ends a segment.
enum Frame {
    static let headerBytes = 8
    static let payloadBytesMax = 64 << 10
    static let sealMark = UInt32.max

    /// CRC-32C of the payload and the length field.
    static func checksum(_ payload: UnsafeRawBufferPointer, lengthField: UInt32) -> UInt32 {
        let checksum = clinux_crc32c(0, payload.baseAddress, payload.count)
        return withUnsafeBytes(of: lengthField.littleEndian) { clinux_crc32c(checksum, $0.baseAddress, $0.count) }
    }

    /// The same, with the position in the spool added.
    static func checksum(_ checksum: UInt32, at position: UInt64) -> UInt32 {
        withUnsafeBytes(of: position.littleEndian) { clinux_crc32c(checksum, $0.baseAddress, $0.count) }
    }

    /// Writes the header in front of a payload that is in place, all but the position's share of the checksum.
    static func writeHeader(to frame: UnsafeMutableRawPointer, payloadBytes: Int) {
        let length = UInt32(truncatingIfNeeded: payloadBytes)
        let payload = UnsafeRawBufferPointer(start: frame + Self.headerBytes, count: payloadBytes)
        frame.storeBytes(of: length.littleEndian, as: UInt32.self)
        let checksum = Self.checksum(payload, lengthField: length)
        frame.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }

    /// Adds the positions to the checksums of frames that lie one behind the other.
    static func stamp(_ frames: UnsafeMutableRawBufferPointer, at position: UInt64) {
        guard let base = frames.baseAddress else { return }
        var offset = 0
        while offset < frames.count {
            let frame = base + offset
            let length = Int(UInt32(littleEndian: frame.loadUnaligned(as: UInt32.self)))
            let partial = UInt32(littleEndian: frame.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            let checksum = Self.checksum(partial, at: position &+ UInt64(offset))
            frame.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
            offset += Self.headerBytes + length
        }
    }

    /// Writes the frame that ends a segment.
    static func writeSeal(to target: UnsafeMutableRawPointer, at position: UInt64) {
        let checksum = Self.checksum(.init(start: nil, count: 0), lengthField: Self.sealMark)
        target.storeBytes(of: Self.sealMark.littleEndian, as: UInt32.self)
        target.storeBytes(
            of: Self.checksum(checksum, at: position).littleEndian, toByteOffset: 4, as: UInt32.self)
    }
}
