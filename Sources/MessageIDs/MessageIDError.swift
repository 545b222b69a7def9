/// Why a text or a byte string is not an id. An invalid id is a result of reading, not a fault of the program.
public struct MessageIDError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        public var name: String

        /// A character that the form's alphabet does not have.
        public static let alphabet = Code(name: "alphabet")
        /// The text was changed, cut or extended somewhere.
        public static let checksum = Code(name: "checksum")
        /// More follows where the id ends.
        public static let trailingBytes = Code(name: "trailing_bytes")
        /// The id ends too early.
        public static let truncated = Code(name: "truncated")
        /// The value is written longer than it must be, so this is not its one text.
        public static let nonMinimal = Code(name: "non_minimal")
        /// A field has a value that the field can't have.
        public static let outOfRange = Code(name: "out_of_range")
        /// Not an id of a form known here.
        public static let unknownForm = Code(name: "unknown_form")
    }

    public var code: Code
    /// A sentence for people, without the id itself.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { self.detail }
}
