import MessageIDs
import Postgres

extension SendMessageID {
    /// How many columns ``init(_:_:)`` reads.
    static let rowColumns = 13

    /// Reads a row's first columns: account_id, campaign_id, resource_id, subscription_id, profile_id, sent_at,
    /// sent_at_nanos, launched_at, launched_at_nanos, channel, provider, privacy, is_test.
    ///
    /// Throws `inconsistent` for what no hub writes.
    init(_ rows: PostgresRows, _ row: Int) throws {
        func id(_ column: Int, from least: Int64 = 0) throws -> Int64 {
            let id = try rows.int64(row, column)
            guard id >= least else { throw StoreError(.inconsistent, "a message with an id out of range") }
            return id
        }
        func code(_ column: Int) throws -> UInt8 { UInt8(truncatingIfNeeded: try rows.int64(row, column)) }
        func time(_ column: Int) throws -> UInt64 {
            let time = StoreTime(
                microseconds: try rows.timestamp(row, column),
                nanos: Int16(truncatingIfNeeded: try rows.int64(row, column + 1)))
            guard let nanoseconds = time.nanoseconds else {
                throw StoreError(.inconsistent, "a message with a time outside 64 bits")
            }
            return nanoseconds
        }
        guard let privacy = Privacy(rawValue: try code(11)) else {
            throw StoreError(.inconsistent, "a message of an unknown privacy")
        }
        self.init(
            account: try id(0, from: 1), campaign: try id(1), resource: try id(2),
            channel: Channel(rawValue: try code(9)), subscription: try id(3),
            profile: ProfileID(try rows.uuid(row, 4)), sentAt: try time(5), launchedAt: try time(7),
            provider: Provider(rawValue: try code(10)), isTest: try rows.bool(row, 12), privacy: privacy)
    }
}
