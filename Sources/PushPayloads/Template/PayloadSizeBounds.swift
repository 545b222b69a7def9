/// Sizes that must be within their provider's bounds whoever the recipient is.
///
/// Payloads with the same holes differ by the same bytes for every recipient, so of those only the largest is kept: a
/// message in two hundred locales costs a recipient one sum, not two hundred.
struct PayloadSizeBounds: Sendable {
    private struct Kind: Hashable {
        var holes: [PayloadHole: Int]
        var bytesMax: Int
    }

    private let largest: [(size: PayloadSize, bytesMax: Int)]
    var count: Int { self.largest.count }

    init(_ shapes: [PayloadShape]) {
        var largest: [Kind: PayloadSize] = [:]
        for shape in shapes {
            let holes = Dictionary(shape.size.holes.map { ($0, 1) }, uniquingKeysWith: +)
            let kind = Kind(holes: holes, bytesMax: shape.bytesMax)
            if let size = largest[kind], size.fixedBytes >= shape.size.fixedBytes { continue }
            largest[kind] = shape.size
        }
        self.largest = largest.map { ($1, $0.bytesMax) }
    }

    /// A payload that is out of its bounds with these values; nil when all are within.
    func excess(with values: PayloadValues) -> (bytes: Int, bytesMax: Int)? {
        for (size, bytesMax) in self.largest {
            let bytes = size.bytes(with: values)
            if bytes > bytesMax { return (bytes, bytesMax) }
        }
        return nil
    }
}
