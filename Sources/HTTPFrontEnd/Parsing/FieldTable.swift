/// A head's fields, in order, in memory that is kept from head to head: an array would be asked at each step who else
/// holds it.
struct FieldTable: ~Copyable, @unchecked Sendable {
    // The memory has one owner, this value.
    private var base: UnsafeMutablePointer<HTTPField>
    private var capacity = 32
    private(set) var count = 0

    init() { self.base = .allocate(capacity: self.capacity) }

    deinit { self.base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> HTTPField {
        get {
            precondition(index >= 0 && index < self.count)
            return self.base[index]
        }
        set {
            precondition(index >= 0 && index < self.count)
            self.base[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ field: HTTPField) {
        if self.count == self.capacity { self.grow() }
        (self.base + self.count).initialize(to: field)
        self.count &+= 1
    }

    mutating func removeAll() { self.count = 0 }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<HTTPField>.allocate(capacity: self.capacity * 2)
        larger.moveInitialize(from: self.base, count: self.count)
        self.base.deallocate()
        self.base = larger
        self.capacity *= 2
    }
}
