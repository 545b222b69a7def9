import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct KeyRingTests {
    private func code(_ body: () throws(KeyRingError) -> Void) -> KeyRingError.Code? {
        do {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    /// A new ring has one active key of its own.
    @Test func newRingsHaveOneFreshKey() {
        let first = KeyRing(createdAt: 5)
        let second = KeyRing(createdAt: 5)
        #expect(first.entries == [KeyRing.Entry(id: 1, state: .active, createdAt: 5)])
        #expect(first.active.secret.withBytes { Array($0) } != second.active.secret.withBytes { Array($0) })
        #expect(first.active.secret.count == 64)
    }

    /// Rotation adds an active key and keeps the old one open; a retired key stays listed.
    @Test func rotatesAndRetires() throws {
        var ring = KeyRing(createdAt: 5)
        try ring.rotate(createdAt: 6)
        try ring.rotate(createdAt: 7)
        try ring.retire(id: 1)
        #expect(
            ring.entries == [
                KeyRing.Entry(id: 1, state: .retired, createdAt: 5),
                KeyRing.Entry(id: 2, state: .accepted, createdAt: 6),
                KeyRing.Entry(id: 3, state: .active, createdAt: 7),
            ])
    }

    /// The active key can't be retired, nor one that is not there.
    @Test func refusesToRetireTheWrongKey() {
        var ring = KeyRing(createdAt: 5)
        #expect(self.code { () throws(KeyRingError) in try ring.retire(id: 1) } == .activeKey)
        #expect(self.code { () throws(KeyRingError) in try ring.retire(id: 9) } == .unknownKey)
        #expect(ring.entries.count == 1)
    }

    /// All 256 ids are used, each once; then the ring is full and unchanged.
    @Test func ringsHold256Keys() throws {
        var ring = KeyRing(createdAt: 0)
        for time in 1..<256 { try ring.rotate(createdAt: Int64(time)) }
        #expect(Set(ring.entries.map(\.id)).count == 256)
        let before = ring.entries
        #expect(self.code { () throws(KeyRingError) in try ring.rotate(createdAt: 256) } == .full)
        #expect(ring.entries == before)
    }

    /// No two keys with one id, no ring without its active key or with two, no key of another length.
    @Test func refusesRingsThatBreakTheirPromises() {
        let active = Samples.key(id: 1, state: .active, seed: 1)
        let accepted = Samples.key(id: 2, state: .accepted, seed: 2)
        let short = KeyRing.Key(entry: active.entry, secret: SecretBytes([1, 2, 3]))
        let rings = [
            [], [accepted], [active, Samples.key(id: 2, state: .active, seed: 2)],
            [active, Samples.key(id: 1, state: .accepted, seed: 2)], [short],
        ]
        for keys in rings {
            #expect(self.code { () throws(KeyRingError) in _ = try KeyRing(keys: keys) } == .malformed)
        }
    }

    /// Neither print, dump nor interpolation shows key bytes.
    @Test func descriptionsHideTheKeys() throws {
        let ring = try Samples.ring()
        var dumped = ""
        dump(ring, to: &dumped)
        dump(ring.active, to: &dumped)
        let hex = Hex.text(ring.active.secret.withBytes { Array($0) })
        for text in ["\(ring)", String(reflecting: ring), dumped, "\(ring.active.secret)"] {
            #expect(!text.lowercased().contains(hex.prefix(8)))
            #expect(!text.contains("31, 32, 33"))
        }
    }
}
