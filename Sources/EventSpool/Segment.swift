import CLinux

/// One file of the spool: the positions `base ..< end`, of which the first `headerBytes` are the file's header.
///
/// The file is named by its base in 16 hex digits and is as long as `byteCount` from the start, filled with zeros: a sync
/// of a file that neither grows nor converts extents costs two thirds of one that does.
struct Segment: Sendable, Equatable {
    static let headerBytes = 64
    static let suffix = ".seg"
    /// A segment that is being prepared; whatever has this suffix at start is left from a crash and goes.
    static let unfinishedSuffix = ".new"

    let base: UInt64
    let byteCount: UInt64

    var end: UInt64 { self.base + self.byteCount }
    var firstRecord: UInt64 { self.base + UInt64(Self.headerBytes) }

    var fileName: String { Self.stem(self.base) + Self.suffix }
    var unfinishedName: String { Self.stem(self.base) + Self.unfinishedSuffix }

    private static func stem(_ base: UInt64) -> String {
        let digits = String(base, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// The base that a file name states; nil for any other file.
    static func base(ofFileName name: String) -> UInt64? {
        guard name.hasSuffix(Self.suffix), name.utf8.count == 16 + Self.suffix.utf8.count,
            let base = UInt64(name.prefix(16), radix: 16), Self.stem(base) == name.prefix(16)
        else { return nil }
        return base
    }
}

/// The first 64 bytes of a segment file: magic (8), version (4), zero (4), base (8), byte count (8), zero (28), CRC-32C (4).
enum SegmentHeader {
    static let version: UInt32 = 1
    private static let magic: UInt64 = 0x316c_6f6f_7053_6b41  // "AkSpool1" as it lies in the file

    enum Content: Equatable {
        case segment(byteCount: UInt64)
        case unknownVersion(UInt32)
        case damaged
    }

    static func bytes(of segment: Segment) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Segment.headerBytes)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: Self.magic.littleEndian, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: Self.version.littleEndian, toByteOffset: 8, as: UInt32.self)
            bytes.storeBytes(of: segment.base.littleEndian, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: segment.byteCount.littleEndian, toByteOffset: 24, as: UInt64.self)
            let checksum = clinux_crc32c(0, bytes.baseAddress, Segment.headerBytes - 4)
            bytes.storeBytes(of: checksum.littleEndian, toByteOffset: Segment.headerBytes - 4, as: UInt32.self)
        }
        return bytes
    }

    static func read(_ bytes: UnsafeRawBufferPointer, base: UInt64) -> Content {
        guard bytes.count >= Segment.headerBytes else { return .damaged }
        let checksum = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: Segment.headerBytes - 4, as: UInt32.self))
        guard checksum == clinux_crc32c(0, bytes.baseAddress, Segment.headerBytes - 4),
            UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) == Self.magic
        else { return .damaged }
        let version = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard version == Self.version else { return .unknownVersion(version) }
        let byteCount = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        guard UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)) == base,
            byteCount >= UInt64(SpoolConfiguration.segmentBytesMin), byteCount <= 1 << 40
        else { return .damaged }
        return .segment(byteCount: byteCount)
    }
}
