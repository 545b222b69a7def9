import MessageIDs
import Postgres

extension LoaderSession {
    /// Counts what was sent; of a request's repeated or growing count, what exceeds the greatest seen before.
    func countSent(_ sentCounts: [SentCount], _ sums: inout CountSums<BucketKey>) throws {
        var requests = RequestCounts()
        for sent in sentCounts {
            if sent.request == nil {
                sums[BucketKey(sent)].sent += sent.count
            } else {
                requests.append(sent)
            }
        }
        guard !requests.keys.isEmpty else { return }
        let keys = requests.keys
        let launches = keys.map { StoreTime(nanoseconds: $0.total.launch.launchedAt) }
        let grown = try self.connection.query(
            EmbeddedSQL.sentRequestUpsert,
            [
                .int64Array(keys.map(\.total.launch.account)), .uuidArray(keys.map(\.request)),
                .int64Array(keys.map(\.total.launch.campaign)), .timestampArray(launches.map(\.microseconds)),
                .int16Array(launches.map(\.nanos)), .int64Array(keys.map(\.total.resource)),
                .int16Array(keys.map { Int16($0.total.channel) }), .int16Array(keys.map { Int16($0.total.provider) }),
                .int16Array(keys.map { $0.total.isTest ? 1 : 0 }), .int64Array(requests.greatest),
            ])
        for row in 0..<grown.count {
            let place = Int(try grown.int64(row, 0)) - 1
            var counted = try grown.int64(row, 1)
            for sent in requests.records[place] where sent.count > counted {
                sums[BucketKey(sent)].sent += sent.count - counted
                counted = sent.count
            }
        }
    }

    /// Adds the sums to both tables of counters.
    func add(_ sums: CountSums<BucketKey>) throws {
        guard !sums.keys.isEmpty else { return }
        let totals = sums.totals
        try self.connection.query(EmbeddedSQL.launchTotalAdd, Self.parameters(totals.keys, totals.counts))
        try self.connection.query(
            EmbeddedSQL.launchBucketAdd,
            Self.parameters(sums.keys.map(\.total), sums.counts) + [.timestampArray(sums.keys.map(\.bucketAt))])
    }

    private static func parameters(_ keys: [TotalKey], _ counts: [Counts]) -> [PostgresValue] {
        let launches = keys.map { StoreTime(nanoseconds: $0.launch.launchedAt) }
        return [
            .int64Array(keys.map(\.launch.account)), .int64Array(keys.map(\.launch.campaign)),
            .timestampArray(launches.map(\.microseconds)), .int16Array(launches.map(\.nanos)),
            .int64Array(keys.map(\.resource)), .int16Array(keys.map { Int16($0.channel) }),
            .int16Array(keys.map { Int16($0.provider) }), .int16Array(keys.map { $0.isTest ? 1 : 0 }),
            .int16Array(keys.map { Int16($0.eventClass.rawValue) }), .int64Array(counts.map(\.sent)),
            .int64Array(counts.map(\.acked)), .int64Array(counts.map(\.derived)), .int64Array(counts.map(\.opened)),
            .int64Array(counts.map(\.acksTotal)), .int64Array(counts.map(\.opensTotal)),
        ]
    }
}

/// The sent counts of a batch that belong to a request, by what they count.
private struct RequestCounts {
    struct Key: Hashable {
        var request: UInt128
        var total: TotalKey
    }

    private(set) var keys: [Key] = []
    /// In order of arrival.
    private(set) var records: [[SentCount]] = []
    private(set) var greatest: [Int64] = []
    private var places: [Key: Int] = [:]

    mutating func append(_ sent: SentCount) {
        guard let request = sent.request else { return }
        let key = Key(request: request, total: BucketKey(sent).total)
        guard let place = self.places[key] else {
            self.places[key] = self.keys.count
            self.keys.append(key)
            self.records.append([sent])
            self.greatest.append(sent.count)
            return
        }
        self.records[place].append(sent)
        self.greatest[place] = max(self.greatest[place], sent.count)
    }
}
