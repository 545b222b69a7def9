/// First in, first out. What was taken is let go at once, also while the mailbox never runs empty: a stream may last for
/// days with its sender always a piece ahead.
struct Mailbox<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var first = 0

    var isEmpty: Bool { self.first == self.elements.count }

    mutating func append(_ element: Element) { self.elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !self.isEmpty else { return nil }
        let element = self.elements[self.first].take()
        self.first += 1
        // Half of it or more is empty: moving the rest costs no more than what was taken.
        if 2 * self.first >= self.elements.count {
            self.elements.removeFirst(self.first)
            self.first = 0
        }
        return element
    }

    /// Changes the last element in place if `change` wants to; false when there is none or it does not.
    mutating func updateLast(_ change: (inout Element) -> Bool) -> Bool {
        guard !self.isEmpty, var last = self.elements[self.elements.count - 1].take() else { return false }
        defer { self.elements[self.elements.count - 1] = last }
        return change(&last)
    }

    mutating func removeAll() {
        self.elements.removeAll()
        self.first = 0
    }

    /// Places held, empty ones too.
    var places: Int { self.elements.count }
}
