import COpenSSL

/// AES-SIV (RFC 5297) of short plaintexts, composed of OpenSSL's AES, for one key and one list of associated data.
///
/// OpenSSL's own AES-SIV context must be keyed or copied anew for each token; here the associated data's share of S2V is
/// computed once, and neither CMAC nor CTR sets anything up per token. The key is 32, 48 or 64 bytes: the first half keys
/// S2V, the second CTR.
///
/// One a thread: the contexts and buffers are used without a lock.
final class AESSIV {
    static let tagBytes = 16
    /// Plaintexts are no longer.
    static let plaintextBytesMax = CMAC.messageBytesMax

    private let mac: CMAC
    private let counters: AESBlocks
    /// S2V's chain after all associated data.
    private let associatedShare: UInt128
    private let keystream = UnsafeMutableRawBufferPointer.allocate(
        byteCount: AESSIV.plaintextBytesMax, alignment: AESBlocks.blockBytes)

    /// Each of the associated data has at most `CMAC.messageBytesMax` bytes.
    init(key: UnsafeRawBufferPointer, associatedData: [[UInt8]]) throws(KeyRingError) {
        precondition([32, 48, 64].contains(key.count), "an AES-SIV key is 256, 384 or 512 bits")
        let half = key.count / 2
        let mac = try CMAC(key: UnsafeRawBufferPointer(rebasing: key[..<half]))
        self.counters = try AESBlocks(.ecb, key: UnsafeRawBufferPointer(rebasing: key[half...]))
        var share = withUnsafeBytes(of: UInt128(0)) { mac.tag(of: $0) }
        for data in associatedData { share = CMAC.doubled(share) ^ data.withUnsafeBytes { mac.tag(of: $0) } }
        self.mac = mac
        self.associatedShare = share
    }

    deinit {
        OPENSSL_cleanse(self.keystream.baseAddress, self.keystream.count)
        self.keystream.deallocate()
    }

    /// Writes tag and ciphertext; `sealed` is ``tagBytes`` longer than the plaintext.
    func seal(_ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer) {
        precondition(sealed.count == plaintext.count + Self.tagBytes)
        let tag = self.tag(of: plaintext)
        sealed.storeBytes(of: tag.bigEndian, as: UInt128.self)
        self.crypt(plaintext, tag, into: UnsafeMutableRawBufferPointer(rebasing: sealed[Self.tagBytes...]))
    }

    /// Writes the plaintext and says whether it is authentic; wipes it when it is not.
    func open(_ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer) -> Bool {
        precondition(plaintext.count + Self.tagBytes == sealed.count)
        let tag = UInt128(bigEndian: sealed.loadUnaligned(as: UInt128.self))
        self.crypt(UnsafeRawBufferPointer(rebasing: sealed[Self.tagBytes...]), tag, into: plaintext)
        var expected = self.tag(of: UnsafeRawBufferPointer(plaintext)).bigEndian
        // Constant time: the first differing byte must not show.
        guard CRYPTO_memcmp(&expected, sealed.baseAddress, Self.tagBytes) == 0 else {
            OPENSSL_cleanse(plaintext.baseAddress, plaintext.count)
            return false
        }
        return true
    }

    /// RFC 5297 section 2.4: CMAC over the plaintext with the chain XORed into its end, or padded when it is short.
    private func tag(of plaintext: UnsafeRawBufferPointer) -> UInt128 {
        if plaintext.count >= AESBlocks.blockBytes {
            return self.mac.tag(of: plaintext, mask: self.associatedShare)
        }
        var padded: UInt128 = 0
        for byte in plaintext { padded = padded << 8 | UInt128(byte) }
        padded = padded << 8 | 0x80
        padded <<= UInt128(8 * (15 - plaintext.count))
        let block = (CMAC.doubled(self.associatedShare) ^ padded).bigEndian
        return withUnsafeBytes(of: block) { self.mac.tag(of: $0) }
    }

    /// RFC 5297 section 2.5: CTR from the tag with bits 63 and 31 cleared, so that no counter carries across them.
    private func crypt(_ input: UnsafeRawBufferPointer, _ tag: UInt128, into output: UnsafeMutableRawBufferPointer) {
        precondition(input.count <= Self.plaintextBytesMax && output.count == input.count)
        var counter = tag & ~(1 << 63 | 1 << 31)
        var counterBytes = 0
        while counterBytes < input.count {
            self.keystream.storeBytes(of: counter.bigEndian, toByteOffset: counterBytes, as: UInt128.self)
            counter &+= 1
            counterBytes &+= AESBlocks.blockBytes
        }
        self.counters.encrypt(self.keystream.baseAddress!, count: counterBytes)
        var offset = 0
        while offset &+ 8 <= input.count {
            let word = input.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let mask = self.keystream.load(fromByteOffset: offset, as: UInt64.self)
            output.storeBytes(of: word ^ mask, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < input.count {
            output[offset] = input[offset] ^ self.keystream[offset]
            offset &+= 1
        }
    }
}
