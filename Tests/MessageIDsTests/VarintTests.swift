import TestSupport
import Testing

@testable import MessageIDs

@Suite(.blocking)
struct VarintTests {
    private func bytes(_ value: UInt128) -> [UInt8] {
        var bytes = ShortBytes()
        bytes.append(atMost: Varint.bytesMax) { Varint.append(value, to: &$0) }
        var array: [UInt8] = []
        bytes.append(to: &array)
        return array
    }

    private func read(_ bytes: [UInt8]) throws(MessageIDError) -> UInt128 {
        var reader = BodyReader()
        return try reader.varint(bytes.span, "value")
    }

    /// The edges of every length, up to the 65 bits of a launch delay.
    @Test func writesAndReadsTheEdges() throws {
        var edges: [UInt128] = [0, 1]
        for bits in stride(from: 7, through: 63, by: 7) { edges += [1 << UInt128(bits) - 1, 1 << UInt128(bits)] }
        edges += [UInt128(UInt64.max), UInt128(UInt64.max) + 1, UInt128(UInt64.max) * 2]
        for value in edges {
            let bytes = self.bytes(value)
            #expect(bytes.count == Varint.byteCount(value))
            if let small = UInt64(exactly: value) { #expect(bytes.count == Varint.byteCount(small)) }
            #expect(try self.read(bytes) == value)
        }
    }

    /// Only the shortest form is read, and every cut is noticed.
    @Test(arguments: [
        ([], MessageIDError.Code.truncated), ([0x80], .truncated), ([0xff, 0xff], .truncated),
        ([0x80, 0x00], .nonMinimal), ([0x81, 0x00], .nonMinimal), ([0xff, 0x80, 0x00], .nonMinimal),
        ([UInt8](repeating: 0xff, count: 9) + [0x00], .nonMinimal),
        ([UInt8](repeating: 0xff, count: 9), .truncated), ([UInt8](repeating: 0xff, count: 10), .outOfRange),
        ([UInt8](repeating: 0x80, count: 10) + [0x01], .outOfRange),
    ])
    func refusesOtherForms(_ bytes: [UInt8], _ code: MessageIDError.Code) {
        #expect(errorCode { () throws(MessageIDError) in try self.read(bytes) } == code)
    }
}
