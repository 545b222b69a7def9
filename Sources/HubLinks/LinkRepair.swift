/// Undoes what travel does to a whole target: percent-encoding of any character, doubled slashes, an absolute form.
enum LinkRepair {
    /// Repaired bytes beyond this are not looked at: path prefix and token are far shorter.
    static let bytesMax = 1024

    /// Fills `repaired` and returns how much of it.
    static func repair(
        _ target: UnsafeBufferPointer<UInt8>, into repaired: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var from = Self.pathStart(target)
        var count = 0
        while from < target.count && count < Self.bytesMax {
            var byte = target[from]
            from &+= 1
            if byte == UInt8(ascii: "%"), from &+ 1 < target.count, let high = Self.hexDigit(target[from]),
                let low = Self.hexDigit(target[from &+ 1])
            {
                byte = high << 4 | low
                from &+= 2
            }
            if byte == UInt8(ascii: "/") && count > 0 && repaired[count &- 1] == byte { continue }
            repaired[count] = byte
            count &+= 1
        }
        return count
    }

    /// After `https://host` of an absolute form (RFC 9112 section 3.2.2), else 0.
    private static func pathStart(_ target: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = target.first, first != UInt8(ascii: "/") else { return 0 }
        for scheme in Self.schemes where target.count > scheme.count {
            let isEqual = scheme.indices.allSatisfy { index in
                let byte = target[index]
                return (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte) == scheme[index]
            }
            if isEqual { return target[scheme.count...].firstIndex(of: UInt8(ascii: "/")) ?? target.count }
        }
        return 0
    }

    private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
