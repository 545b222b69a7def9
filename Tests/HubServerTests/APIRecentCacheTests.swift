import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIRecentCacheTests {
    /// It never holds more than its capacity, and the newest are in it.
    @Test func staysWithinItsCapacity() {
        var cache = RecentCache<Int, Int>(capacity: 100)
        for key in 0..<10_000 {
            cache[key] = -key
            #expect(cache.count <= 100)
            #expect(cache[key] == -key)
        }
        #expect(cache[9_951] == -9_951)
        #expect(cache[0] == nil)
    }

    /// What is used all the time survives any number of newcomers.
    @Test func keepsWhatIsUsed() {
        var cache = RecentCache<Int, String>(capacity: 10)
        cache[-1] = "kept"
        for key in 0..<1_000 {
            cache[key] = "\(key)"
            #expect(cache[-1] == "kept")
        }
    }

    /// Setting replaces and nil removes, in either generation.
    @Test func replacesAndRemoves() {
        var cache = RecentCache<Int, Int>(capacity: 4)
        cache[1] = 1
        cache[2] = 2
        cache[3] = 3  // 1 and 2 are the old generation now.
        cache[1] = 10
        cache[2] = nil
        #expect(cache[1] == 10)
        #expect(cache[2] == nil)
        cache[1] = nil
        #expect(cache[1] == nil)
        #expect(cache[3] == 3)
    }
}
