import CPostgres

extension PostgresConfiguration {
    /// Whether libpq can read the connection string; says nothing of a server.
    package var isReadable: Bool { (try? self.parameters()) != nil }

    /// libpq's keywords and values: the string's own, and ours where it has none.
    func parameters() throws(PostgresError) -> [(keyword: String, value: String)] {
        var message: UnsafeMutablePointer<CChar>?
        guard !self.connection.utf8.contains(0), let options = PQconninfoParse(self.connection, &message) else {
            // libpq's message quotes the string, and a password with it.
            PQfreemem(message)
            throw PostgresError(code: .configuration, detail: "the connection string can't be parsed")
        }
        defer { PQconninfoFree(options) }
        var values: [(keyword: String, value: String)] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values.append((String(cString: keyword), String(cString: value))) }
            option += 1
        }
        var defaults = [
            ("fallback_application_name", self.applicationName),
            ("connect_timeout", String(max(self.connectTimeoutSeconds, 2))),
            // A host that vanishes is noticed after about 30 s of silence, or when what we sent is not taken for as long.
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ]
        if self.requiresReadWrite { defaults.append(("target_session_attrs", "read-write")) }
        let given = Set(values.map(\.keyword))
        values += defaults.filter { !given.contains($0.0) }
        // A later keyword wins.
        values.append(("client_encoding", "UTF8"))
        return values
    }
}
