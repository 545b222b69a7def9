package import MessageIDs

/// What an event may keep of the client that caused it.
extension Privacy {
    /// The address as it may be kept: whole, /24 of version 4 and /48 of version 6, or none. A number of `length` bytes (0,
    /// 4, 16); design section 5.
    package func keptAddress(_ address: UInt128, length: Int) -> (value: UInt128, length: Int) {
        switch self {
        case .keepAddress: (address, length)
        case .maskAddress: (address & (length == 4 ? ~0xFF : ~((1 << 80) - 1)), length)
        case .dropAddress, .anonymous: (0, 0)
        }
    }

    package var keepsUserAgent: Bool { self == .keepAddress || self == .maskAddress }
}
