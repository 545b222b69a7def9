/// A bounded dictionary that forgets what was not used for longest, roughly: two generations, of which a full young one
/// becomes the old one and the old one goes. Every operation is O(1); what is used at all within `capacity / 2`
/// insertions stays.
struct RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generationMax: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(capacity: Int) {
        precondition(capacity >= 2)
        self.generationMax = capacity / 2
    }

    var count: Int { self.young.count + self.old.count }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = self.young[key] { return value }
            guard let value = self.old.removeValue(forKey: key) else { return nil }
            self.insert(value, for: key)
            return value
        }
        set {
            self.old[key] = nil
            guard let newValue else {
                self.young[key] = nil
                return
            }
            self.insert(newValue, for: key)
        }
    }

    private mutating func insert(_ value: Value, for key: Key) {
        if self.young.count >= self.generationMax && self.young[key] == nil {
            self.old = self.young
            self.young = [:]
        }
        self.young[key] = value
    }
}
