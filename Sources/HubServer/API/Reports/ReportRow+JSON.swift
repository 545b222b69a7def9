import EventStore
import StrictJSON

extension ReportRow {
    /// The members of design section 9's row, every one present. `sent_incomplete` is true where `sent` is unknown or smaller
    /// than what was delivered; then no delivery rate is claimed.
    func writeMembers(to json: inout JSONWriter) {
        let counts = [
            ("sent", self.sent), ("delivered", self.delivered), ("acked", self.acked), ("derived", self.derived),
            ("opened", self.opened), ("opens_total", self.opensTotal), ("acks_total", self.acksTotal),
        ]
        for (name, count) in counts { json.member(name, count) }
        json.key("delivery_rate")
        json.rate(self.deliveryRate)
        json.key("open_rate")
        json.rate(self.openRate)
        json.key("sent_incomplete")
        json.bool(self.sentIncomplete)
    }
}

extension JSONWriter {
    mutating func rate(_ rate: Double?) {
        if let rate { self.number(rate) } else { self.null() }
    }

    mutating func member(_ name: String, _ value: String) {
        self.key(name)
        self.string(value)
    }

    mutating func member(_ name: String, _ value: String?) {
        self.key(name)
        if let value { self.string(value) } else { self.null() }
    }

    mutating func member(_ name: String, _ value: Int64) {
        self.key(name)
        self.number(value)
    }

    mutating func member(_ name: String, _ value: Bool) {
        self.key(name)
        self.bool(value)
    }

    /// An id: JSON numbers beyond 2^53 would lose digits in most readers, so ids are strings.
    mutating func member(_ name: String, id: Int64) {
        self.key(name)
        self.string(String(id))
    }
}
