/// The road by which an event came: one of the forms that devices and senders speak.
package enum EventDialect: UInt8, CaseIterable, Sendable {
    case link = 1, postEvents, msdk, pushwoosh, carillon, ingest

    /// As in reports, exports and `ackhub.dialect_name`.
    package var name: String {
        switch self {
        case .link: "link"
        case .postEvents: "post_events"
        case .msdk: "msdk"
        case .pushwoosh: "pushwoosh"
        case .carillon: "carillon"
        case .ingest: "ingest"
        }
    }
}
