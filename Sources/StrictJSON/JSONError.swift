/// What is wrong with a JSON text, and where.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One of `unexpected_end`, `unexpected_byte`, `bad_number`, `bad_escape`, `lone_surrogate`, `control_character`,
    /// `invalid_utf8`, `duplicate_key`, `too_deep`, `trailing_bytes`. Stable: clients may act on it.
    package var code: String
    /// The first offending byte, from 0. For `duplicate_key` the opening quote of the second name, for
    /// `lone_surrogate` and `bad_escape` the backslash, for `unexpected_end` the length of the text.
    package var offset: Int
    /// For people. Holds nothing of the text itself.
    package var detail: String
    package var description: String { "\(self.detail) at byte \(self.offset)" }

    init(_ code: String, at offset: Int, _ detail: String) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }
}
