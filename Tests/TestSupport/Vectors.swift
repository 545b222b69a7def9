import Foundation

/// `Vectors/ids-and-tokens.json`: ids and tokens that an independent implementation made.
package enum Vectors {
    /// Every case, with the members that `Case` names in camel case.
    package static func read<Case: Decodable>(_ type: Case.Type = Case.self) -> [Case] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let url = Bundle.module.url(forResource: "ids-and-tokens", withExtension: "json", subdirectory: "Vectors")
        guard let url, let data = try? Data(contentsOf: url), let cases = try? decoder.decode([Case].self, from: data)
        else { fatalError("the vectors are missing") }
        return cases
    }
}

package enum Hex {
    /// The bytes of a valid hexadecimal text.
    package static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                fatalError("not hexadecimal")
            }
            return byte
        }
    }

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
