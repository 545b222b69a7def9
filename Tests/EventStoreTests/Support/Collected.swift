import Synchronization

/// What several threads found.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    func append(_ found: [Element]) { self.elements.withLock { $0 += found } }
    var all: [Element] { self.elements.withLock { $0 } }
}
