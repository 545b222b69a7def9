import MessageIDs

/// Where a page of campaigns ended: its last row's sort value and campaign. Opaque to callers.
struct CampaignCursor: Equatable {
    var sort: Reports.CampaignSort
    var descending: Bool
    var value: UInt64
    var campaign: Int64

    private static let version: UInt8 = 1
    private static let byteCount = 2 + 8 + 8

    init(sort: Reports.CampaignSort, descending: Bool, value: UInt64, campaign: Int64) {
        self.sort = sort
        self.descending = descending
        self.value = value
        self.campaign = campaign
    }

    /// Refuses what `bytes` does not make, and a cursor of another order.
    init(bytes: [UInt8], sort: Reports.CampaignSort, descending: Bool) throws {
        let span = bytes.span.bytes
        guard bytes.count == Self.byteCount, bytes[0] == Self.version, bytes[1] == Self.order(sort, descending) else {
            throw StoreError(.cursor, "the cursor is not of this request")
        }
        self.sort = sort
        self.descending = descending
        self.value = RecordFormat.load(UInt64.self, from: span, at: 2)
        self.campaign = RecordFormat.load(Int64.self, from: span, at: 10)
        guard self.campaign >= 0 else { throw StoreError(.cursor, "the cursor is not of this request") }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version, Self.order(self.sort, self.descending)]
        ByteWriter.append(to: &bytes, atMost: 16) {
            $0.append(littleEndian: self.value)
            $0.append(littleEndian: self.campaign)
        }
        return bytes
    }

    private static func order(_ sort: Reports.CampaignSort, _ descending: Bool) -> UInt8 {
        let place: UInt8 =
            switch sort {
            case .lastLaunchedAt: 0
            case .campaign: 1
            case .sent: 2
            case .delivered: 3
            case .opened: 4
            }
        return place << 1 | (descending ? 1 : 0)
    }
}
