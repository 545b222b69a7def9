/// "Did you mean": the known name that the fewest edits away from a wrong one.
package enum NearestName {
    /// nil when even the nearest is too far to be a slip: over a third of the letters differ.
    package static func find(_ wrong: String, in known: [String]) -> String? {
        let target = Array(wrong.utf8)
        guard target.count <= 128 else { return nil }
        let best = known.map { (name: $0, distance: Self.distance(target, Array($0.utf8))) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let best, best.distance * 3 <= target.count else { return nil }
        return best.name
    }

    /// Levenshtein's: insertions, deletions and replacements.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
