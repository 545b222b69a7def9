import Testing

@testable import StrictJSON

/// The list of faults is bounded whatever the names that a client invents.
@Suite struct FieldFaultsTests {
    private static func pointer(_ fault: FieldFault) -> String {
        guard case .pointer(let pointer) = fault.place else { return "" }
        return pointer
    }

    /// Name, and what a pointer shows of it.
    @Test(arguments: [
        (String(repeating: "n", count: 200), 200), (String(repeating: "n", count: 201), 200),
        // One character of thousands of bytes.
        ("a" + String(repeating: "\u{301}", count: 20_000), 199), (String(repeating: "é", count: 101), 200),
        ("n" + String(repeating: "é", count: 101), 199), (String(repeating: "😀", count: 51), 200),
        ("nnn" + String(repeating: "😀", count: 51), 199), ("", 0),
    ])
    func namesAreCutByBytesAtAScalarsBorder(_ name: String, _ bytes: Int) {
        for place in [FieldBase.root.place(name), FieldBase.member(of: .root, name: name).place] {
            let pointer = Self.pointer(FieldFault(place: place, code: .invalid, detail: ""))
            #expect(pointer.utf8.count == 1 + bytes)
            #expect(pointer.utf8.dropFirst().elementsEqual(name.utf8.prefix(bytes)))
        }
    }

    @Test func listsTheFirstAndCountsAll() {
        var faults = FieldFaults()
        for index in 0..<1_500 { faults.add(.pointer("/\(index)"), .invalid, "Bad.") }
        #expect(faults.total == 1_500)
        #expect(faults.listed.map(Self.pointer) == (0..<1_000).map { "/\($0)" })
    }

    /// As the answer's JSON has them, in which a control character is six bytes.
    @Test(arguments: ["n", "é", "\u{1}", "\"", "~"]) func theListsTextIsBounded(_ unit: String) {
        var faults = FieldFaults()
        let base = FieldBase.member(of: .root, name: String(repeating: unit, count: 200))
        for _ in 0..<5_000 { faults.add(base.place(String(repeating: unit, count: 200)), .invalid, "Bad.") }
        // One that would still fit is left out too: the list is the beginning.
        faults.add(.pointer("/x"), .invalid, "")
        #expect(faults.total == 5_001)
        #expect(faults.listed.count > 50)
        #expect(!faults.listed.map(Self.pointer).contains("/x"))
        var json = JSONWriter()
        for fault in faults.listed {
            json.string(Self.pointer(fault))
            json.string(fault.detail)
        }
        let commas = 2 * faults.listed.count
        #expect(json.bytes.count - commas <= 256 << 10)
        var more = FieldFaults()
        more.add(.pointer("/first"), .invalid, "Bad.")
        more.add(faults)
        more.add(.pointer("/last"), .invalid, "Bad.")
        #expect(more.total == 5_003)
        #expect(more.listed.first.map(Self.pointer) == "/first")
        #expect(!more.listed.map(Self.pointer).contains("/last"))
        #expect(more.listed.count <= faults.listed.count + 1)
    }
}
