extension OptionType where Value == Bool {
    /// Present or not.
    package static let flag = OptionType(placeholder: nil) { _ throws(OptionProblem) in true }
}

extension OptionType where Value == String {
    package static func text(_ placeholder: String) -> Self {
        Self(placeholder: placeholder) { text throws(OptionProblem) in
            guard !text.isEmpty else { throw OptionProblem(detail: "is empty") }
            return text
        }
    }
}

extension OptionType where Value == Int64 {
    /// An id from `lowest` to 2^63−1.
    package static func id(from lowest: Int64 = 0) -> Self {
        Self(placeholder: "ID") { text throws(OptionProblem) in
            guard let id = Int64(text), id >= lowest, String(id) == text else {
                throw OptionProblem(detail: "'\(text)' is not a whole number from \(lowest) to 2^63-1")
            }
            return id
        }
    }
}

extension OptionType where Value == Int {
    package static func count(_ placeholder: String = "N", in range: ClosedRange<Int>) -> Self {
        Self(placeholder: placeholder) { text throws(OptionProblem) in
            guard let count = Int(text), range.contains(count) else {
                throw OptionProblem(
                    detail: "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return count
        }
    }
}
