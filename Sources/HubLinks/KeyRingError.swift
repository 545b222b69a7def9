/// Why a key ring can't be read, changed, written or used. Its texts name files, fields and key ids, never key bytes.
public struct KeyRingError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        public var name: String

        public static let unreadable = Code(name: "unreadable")
        public static let unwritable = Code(name: "unwritable")
        /// Group or world may use the file.
        public static let permissions = Code(name: "permissions")
        public static let malformed = Code(name: "malformed")
        public static let exists = Code(name: "exists")
        /// All 256 key ids are taken.
        public static let full = Code(name: "full")
        public static let unknownKey = Code(name: "unknown_key")
        /// The active key can't be retired: rotate first.
        public static let activeKey = Code(name: "active_key")
        public static let publicURL = Code(name: "public_url")
        /// OpenSSL refused: out of memory, or a library without AES, CMAC or randomness.
        public static let crypto = Code(name: "crypto")
    }

    public var code: Code
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { self.detail }
}
