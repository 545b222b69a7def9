import CommandLineOptions

/// The forms of input that `ackhub ingest` reads.
enum IngestFormat: String, CaseIterable, Sendable {
    /// Rows of the table that Firebase exports to BigQuery, as JSON lines.
    case fcmBigQuery = "fcm-bigquery"
    /// Bodies of the callback by which Huawei's Push Kit tells what became of a message.
    case hmsReceipt = "hms-receipt"
    /// Lines of `POST /v1/ingest`, sent as they are.
    case ndjson
}

extension OptionType where Value == IngestFormat {
    static let ingestFormat = OptionType(placeholder: "NAME") { text throws(OptionProblem) in
        guard let format = IngestFormat(rawValue: text) else {
            let known = IngestFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw OptionProblem(detail: "'\(text)' is not a format; known are \(known)")
        }
        return format
    }
}
