/// The type OIDs that this module reads and writes (pg_type.dat: they never change).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let int64: UInt32 = 20
    static let int16: UInt32 = 21
    static let int32: UInt32 = 23
    static let text: UInt32 = 25
    static let float32: UInt32 = 700
    static let float64: UInt32 = 701
    static let timestamp: UInt32 = 1114
    static let timestamptz: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let int16Array: UInt32 = 1005
    static let textArray: UInt32 = 1009
    static let int64Array: UInt32 = 1016
    static let timestamptzArray: UInt32 = 1185
    static let uuidArray: UInt32 = 2951
    static let jsonb: UInt32 = 3802

    /// "char", name, text, json, xml, unknown, bpchar, varchar: their binary form is their text.
    static let texts: Set<UInt32> = [18, 19, 25, 114, 142, 705, 1042, 1043]
}

/// PostgreSQL counts microseconds from 2000-01-01 and keeps the two ends of Int64 for the infinities.
enum PostgresTime {
    private static let epoch: Int64 = 946_684_800_000_000
    /// datatype/timestamp.h: 4714-11-24 BC up to 294277-01-01.
    private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    static func server(unix: Int64) -> Int64? {
        let (value, isOverflow) = unix.subtractingReportingOverflow(Self.epoch)
        return !isOverflow && Self.range.contains(value) ? value : nil
    }

    /// Nil for the infinities and for the last 30 years of the range, which a UNIX count can't hold.
    static func unix(server: Int64) -> Int64? {
        guard Self.range.contains(server) else { return nil }
        let (value, isOverflow) = server.addingReportingOverflow(Self.epoch)
        return isOverflow ? nil : value
    }
}
