import Testing

@testable import PushPayloads

@Suite struct PayloadSizeBoundsTests {
    private static let values = Sample.values(Sample.message, PayloadRecipient(token: "token-1")!)

    private static func shape(_ text: String, _ holes: [PayloadHole], bytesMax: Int = 100) -> PayloadShape {
        let node = PayloadNode.array([.string(text)] + holes.map(PayloadNode.hole))
        return PayloadShape(payload: node, size: .json(node), bytesMax: bytesMax)
    }

    @Test func onlyTheLargestOfThoseWithTheSameHolesIsKept() {
        let small = Self.shape("a", [.messageKey, .uid])
        let large = Self.shape("aaaa", [.uid, .messageKey])
        #expect(PayloadSizeBounds([small, large, small]).count == 1)
        #expect(PayloadSizeBounds([small, Self.shape("a", [.messageKey, .uid, .uid])]).count == 2)
        #expect(PayloadSizeBounds([small, Self.shape("a", [.messageKey, .uid], bytesMax: 99)]).count == 2)
        #expect(PayloadSizeBounds([]).excess(with: Self.values) == nil)
    }

    /// `["…","<36>"]` has 43 bytes and its text's.
    @Test(
        arguments: [([57], nil), ([58], 101), ([1, 58, 2], 101), ([58, 57], 101), ([1, 57, 2], nil)] as [([Int], Int?)])
    func anExcessOfAnyIsFound(_ lengths: [Int], _ bytes: Int?) {
        let shapes = lengths.map { Self.shape(String(repeating: "a", count: $0), [.messageKey]) }
        let excess = PayloadSizeBounds(shapes).excess(with: Self.values)
        #expect(excess?.bytes == bytes)
        #expect(excess?.bytesMax == bytes.map { _ in 100 })
    }

    @Test func ofDifferentHolesEachIsMeasured() {
        let few = Self.shape(String(repeating: "a", count: 50), [])
        let many = Self.shape("", [.messageKey, .messageKey, .messageKey])
        #expect(PayloadSizeBounds([few]).excess(with: Self.values) == nil)
        #expect(PayloadSizeBounds([few, many]).excess(with: Self.values)?.bytes == 4 + 3 * 39)
    }
}
