import Testing

@testable import PushPayloads

@Suite struct PayloadNodeTests {
    @Test func overridesMergeObjectsAndReplaceAllElse() {
        let base: [PayloadMember] = [
            PayloadMember("a", .object([PayloadMember("x", .string("1")), PayloadMember("y", .string("2"))])),
            PayloadMember("b", .string("3")),
        ]
        let merged = base.merged(with: [
            PayloadMember("a", .object([PayloadMember("y", .bool(true))])), PayloadMember("c", .null),
        ])
        #expect(merged["a"] == .object([PayloadMember("x", .string("1")), PayloadMember("y", .bool(true))]))
        #expect(merged.map(\.name) == ["a", "b", "c"])
        #expect(merged.merged(with: [PayloadMember("a", .string("gone"))])["a"] == .string("gone"))
    }

    @Test func namesAreComparedByTheirBytes() {
        let composed = "caf\u{e9}"
        let decomposed = "cafe\u{301}"
        let merged = [PayloadMember(composed, .bool(true))].merged(with: [PayloadMember(decomposed, .bool(false))])
        #expect(merged.count == 2)
        #expect(merged[composed] == .bool(true))
        #expect(merged[decomposed] == .bool(false))
    }
}
