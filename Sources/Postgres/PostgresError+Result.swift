import CPostgres

extension PostgresError {
    /// The error of a result. DETAIL, HINT and CONTEXT are left out: they quote values.
    init(result: OpaquePointer) {
        let field = { (name: Int32) in PQresultErrorField(result, name).map { String(cString: $0) } }
        let state = field(PQdiag.sqlState)
        var detail = field(PQdiag.message) ?? String(cString: PQresultErrorMessage(result)).trimmed
        if let state, state.hasPrefix("22") { detail = withoutQuotation(detail) }
        let names = [("constraint", PQdiag.constraint), ("table", PQdiag.table), ("column", PQdiag.column)]
        for (noun, name) in names { if let value = field(name) { detail += ", \(noun) \(value)" } }
        self.init(code: state == nil ? .connection : .server, sqlState: state, detail: detail)
        // The function's name is the one field of this error that no translation changes.
        let isReplanned = state == "0A000" && field(PQdiag.function) == "RevalidateCachedQuery"
        self.isStalePlan = state == "26000" || isReplanned
    }

    /// libpq's own message: names hosts, users and databases, never a password.
    init(_ code: Code, connection: OpaquePointer?) {
        let message = connection.map { String(cString: PQerrorMessage($0)).trimmed } ?? ""
        self.init(code: code, detail: message.isEmpty ? "libpq gives no reason" : message)
    }
}

/// The message of a notice, as an error's: severity, text, SQLSTATE.
func noticeText(_ result: OpaquePointer) -> String {
    let field = { (name: Int32) in PQresultErrorField(result, name).map { String(cString: $0) } ?? "" }
    return "\(field(PQdiag.severity)): \(field(PQdiag.message)) (SQLSTATE \(field(PQdiag.sqlState)))"
}

/// libpq-fe.h's PG_DIAG_ codes.
private enum PQdiag {
    static let severity = Int32(UInt8(ascii: "V"))
    static let sqlState = Int32(UInt8(ascii: "C"))
    static let message = Int32(UInt8(ascii: "M"))
    static let table = Int32(UInt8(ascii: "t"))
    static let column = Int32(UInt8(ascii: "c"))
    static let constraint = Int32(UInt8(ascii: "n"))
    static let function = Int32(UInt8(ascii: "R"))
}

/// Class 22 (data exception) quotes the bad value: `invalid input syntax for type uuid: "…"`. Cut there, in whatever
/// language's quotation marks.
private func withoutQuotation(_ message: String) -> String {
    let marks: Set<Unicode.Scalar> = ["\"", "'", "«", "»", "„", "“", "”", "‘", "’", "「", "`"]
    guard let index = message.unicodeScalars.firstIndex(where: marks.contains) else { return message }
    return String(message[..<index]) + "…"
}

extension String {
    /// One line of a message of several, which libpq indents with tabs.
    fileprivate var trimmed: String {
        self.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }
}
