import COpenSSL

/// AES-CMAC (RFC 4493) of short messages over OpenSSL's AES-CBC, for one key. One a thread.
final class CMAC {
    /// Messages are no longer.
    static let messageBytesMax = 128

    private let cipher: AESBlocks
    /// The message as it is encrypted, then the two subkeys, which only a cleanse wipes for sure.
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: CMAC.messageBytesMax + 3 * AESBlocks.blockBytes, alignment: AESBlocks.blockBytes)
    private static let subkeysAt = messageBytesMax + AESBlocks.blockBytes
    /// What the cipher returned last, and XORs into the next first block.
    private var chain: UInt128 = 0

    init(key: UnsafeRawBufferPointer) throws(KeyRingError) {
        self.cipher = try AESBlocks(.cbc, key: key)
        self.memory.initializeMemory(as: UInt8.self, repeating: 0)
        let zero = self.encrypt(blocks: 1)
        let first = Self.doubled(zero)
        self.memory.storeBytes(of: first.bigEndian, toByteOffset: Self.subkeysAt, as: UInt128.self)
        self.memory.storeBytes(
            of: Self.doubled(first).bigEndian, toByteOffset: Self.subkeysAt + AESBlocks.blockBytes, as: UInt128.self)
    }

    deinit {
        OPENSSL_cleanse(self.memory.baseAddress, self.memory.count)
        self.memory.deallocate()
    }

    /// The tag of `message`, whose last 16 bytes count XORed with `mask` (RFC 5297 section 2.4, "xorend"). A message of
    /// fewer bytes has no mask.
    func tag(of message: UnsafeRawBufferPointer, mask: UInt128 = 0) -> UInt128 {
        precondition(message.count <= Self.messageBytesMax, "a message has at most \(Self.messageBytesMax) bytes")
        self.memory.copyMemory(from: message)
        if mask != 0 { self.xor(mask.bigEndian, at: message.count - AESBlocks.blockBytes) }
        let isWhole = message.count > 0 && message.count % AESBlocks.blockBytes == 0
        let subkeyAt = isWhole ? Self.subkeysAt : Self.subkeysAt + AESBlocks.blockBytes
        if !isWhole {
            // One bit, then zeros to the block's end, and beyond it.
            self.memory.storeBytes(of: 0x80, toByteOffset: message.count, as: UInt128.self)
        }
        let blocks = isWhole ? message.count / AESBlocks.blockBytes : message.count / AESBlocks.blockBytes + 1
        self.xor(
            self.memory.load(fromByteOffset: subkeyAt, as: UInt128.self), at: (blocks - 1) * AESBlocks.blockBytes)
        return self.encrypt(blocks: blocks)
    }

    /// CBC from a zero vector over the first blocks: what the cipher will XOR in is taken out beforehand.
    private func encrypt(blocks: Int) -> UInt128 {
        self.xor(self.chain.bigEndian, at: 0)
        self.cipher.encrypt(self.memory.baseAddress!, count: blocks * AESBlocks.blockBytes)
        let last = UInt128(
            bigEndian: self.memory.load(fromByteOffset: (blocks - 1) * AESBlocks.blockBytes, as: UInt128.self))
        self.chain = last
        return last
    }

    /// `value` as it lies in memory.
    private func xor(_ value: UInt128, at offset: Int) {
        let old = self.memory.loadUnaligned(fromByteOffset: offset, as: UInt128.self)
        self.memory.storeBytes(of: old ^ value, toByteOffset: offset, as: UInt128.self)
    }

    /// Multiplication by x in GF(2^128) (RFC 4493 section 2.3, RFC 5297 section 2.3).
    static func doubled(_ value: UInt128) -> UInt128 { value << 1 ^ (value >> 127 == 1 ? 0x87 : 0) }
}
