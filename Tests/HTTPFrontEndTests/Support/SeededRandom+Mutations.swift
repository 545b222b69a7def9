import TestSupport

extension SeededRandom {
    /// A few random edits of `bytes`: flips, removals, repetitions, insertions of bytes that matter to HTTP.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let telling = Array("\r\n :;,0\t\u{0}/\u{7f}aF".utf8) + [0x80, 0xff]
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 9)], at: place)
            default: bytes.insert(telling[Int.random(in: 0..<telling.count, using: &self)], at: place)
            }
        }
        return bytes
    }
}
