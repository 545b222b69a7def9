/// Names as people and vendors write them: case, spaces, `-` and `_` do not matter.
enum Spelling {
    /// The letters and digits of `text` in lower case; nil when it has other characters, none or more than 64.
    static func normalized(_ text: String) -> String? {
        var letters: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): letters.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"): continue
            default: return nil
            }
            if letters.count > 64 { return nil }
        }
        return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
    }

    /// A number 0–255 in plain decimal, without sign or leading zeros.
    static func code(_ text: String) -> UInt8? {
        guard let code = UInt8(text), String(code) == text else { return nil }
        return code
    }
}
