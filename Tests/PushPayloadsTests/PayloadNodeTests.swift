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

    /// A walk while the members are few and an index when they are many give the same.
    @Test(arguments: [0, 1, 15, 16, 17, 18, 40]) func membersAreFoundHoweverManyThereAre(_ count: Int) {
        let base = (0..<count).map { PayloadMember("é\($0)", .integer(Int64($0))) }
        let overrides = [count / 2, count + 1, count + 2, 0].map { PayloadMember("é\($0)", .string("over")) }
        let merged = base.merged(with: overrides + [PayloadMember("é\(count + 2)", .bool(true))])
        var names = base.map(\.name)
        for name in overrides.map(\.name) where !names.contains(name) { names.append(name) }
        #expect(merged.map(\.name) == names)
        for member in base where !overrides.contains(where: { $0.isNamed(member.name) }) {
            #expect(merged[member.name] == member.value)
        }
        for member in overrides.dropLast(2) { #expect(merged[member.name] == .string("over")) }
        #expect(merged["é\(count + 2)"] == .bool(true))
    }

    /// Eight times as many members may not cost much more than eight times as much.
    @Test func mergingCostsNoMoreThanItsShare() {
        func members(_ count: Int) -> [PayloadMember] { (0..<count).map { PayloadMember("name\($0)", .null) } }
        let growth = ProcessorTime.growth(from: members(500), to: members(4_000)) { members in
            #expect(members.merged(with: members).count == members.count)
        }
        #expect(growth <= 24)
    }
}
