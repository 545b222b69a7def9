/// Classes of bytes that HTTP's grammar names, each as two words of bits: no table in memory, no branch but one.
struct ByteClass {
    private let low: UInt64
    private let high: UInt64

    /// The class of exactly these ASCII characters.
    init(_ characters: StaticString) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for index in 0..<characters.utf8CodeUnitCount {
            let byte = characters.utf8Start[index]
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
        self.low = low
        self.high = high
    }

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte & 64 == 0 ? self.low : self.high
        return word &>> UInt64(byte & 63) & UInt64(byte >> 7 ^ 1) == 1
    }

    /// `tchar` of RFC 9110 5.6.2: field names and methods.
    @inline(__always)
    static var token: ByteClass { ByteClass(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }

    /// What may stand in Host (RFC 3986 3.2.2 and 3.2.3): names, addresses, a port. No user info.
    @inline(__always)
    static var host: ByteClass { ByteClass(low: 0x2fff_7ff2_0000_0000, high: 0x47ff_fffe_afff_fffe) }
}
