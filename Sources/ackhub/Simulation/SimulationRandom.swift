import Glibc

/// SplitMix64 (Steele, Lea, Flood 2014): a seed gives the same numbers on every machine.
struct SimulationRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to, not with, 1.
    mutating func unit() -> Double { Double(self.next() >> 11) * 0x1p-53 }

    /// True in `share` of all calls.
    mutating func chance(_ share: Double) -> Bool { self.unit() < share }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// A positive number whose logarithm is normally distributed (Box and Muller 1958); half lie below `median`.
    mutating func logNormal(median: Double, sigma: Double) -> Double {
        let radius = (-2 * log(1 - self.unit())).squareRoot()
        return median * exp(sigma * radius * cos(2 * .pi * self.unit()))
    }
}
