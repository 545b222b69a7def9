/// What an API token allows.
package enum TokenScope: String, CaseIterable, Sendable { case mint, report, ingest, admin }
