/// Adds up counts by key. Neighbouring messages mostly share their launch, so the key used last is tried first.
struct CountSums<Key: Hashable> {
    private(set) var keys: [Key] = []
    private(set) var counts: [Counts] = []
    private var places: [Key: Int] = [:]
    private var lastPlace = 0

    subscript(key: Key) -> Counts {
        get { self.places[key].map { self.counts[$0] } ?? Counts() }
        _modify {
            let place = self.place(of: key)
            yield &self.counts[place]
        }
    }

    private mutating func place(of key: Key) -> Int {
        if self.lastPlace < self.keys.count, self.keys[self.lastPlace] == key { return self.lastPlace }
        if let place = self.places[key] {
            self.lastPlace = place
        } else {
            self.lastPlace = self.keys.count
            self.places[key] = self.lastPlace
            self.keys.append(key)
            self.counts.append(Counts())
        }
        return self.lastPlace
    }
}

extension CountSums<BucketKey> {
    /// The same counts without time.
    var totals: CountSums<TotalKey> {
        var totals = CountSums<TotalKey>()
        for (key, counts) in zip(self.keys, self.counts) { totals[key.total] += counts }
        return totals
    }
}
