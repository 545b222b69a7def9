/// What an API token allows.
package enum TokenScope: String, CaseIterable, Sendable {
    case mint, report, ingest, admin
    /// To report a device's own events. The only scope that may lie in an app, where anybody can read it out: it opens
    /// nothing else.
    case device
}
