import Postgres
import TestSupport
import Testing

@Suite(.blocking)
struct PostgresConfigurationTests {
    /// A string that can't be parsed is refused without being quoted: a password may be in it.
    @Test func refusesABadString() {
        for text in [
            "host=localhost password='hunter2", "postgresql://u:hunter2@h:port:x/d?nothing=hunter2", "hunter2",
        ] {
            let error = #expect(throws: PostgresError.self) {
                try PostgresConnection(PostgresConfiguration(connection: text))
            }
            #expect(error?.code == .configuration)
            #expect(error?.isRetriable == false)
            #expect(error?.description.contains("hunter2") == false)
        }
    }

    /// Of several hosts, one that is dead and one that is read-only are passed over.
    @Test func findsTheWritableHost() throws {
        let good = try TestPostgres.startPrivate()
        let readOnly = try TestPostgres.startPrivate(settings: ["default_transaction_read_only": "on"])
        let hosts = "host=/nonexistent,\(readOnly.socketFolder),\(good.socketFolder) user=postgres dbname=postgres"
        let connection = try PostgresConnection(PostgresConfiguration(connection: hosts))
        try connection.execute("CREATE TABLE t (a int)")
        #expect(
            try connection.query("SELECT setting FROM pg_settings WHERE name = 'unix_socket_directories'").text(0, 0)
                == good.socketFolder)
        // Alone, the read-only one will not do, unless reading is enough.
        var alone = PostgresConfiguration(connection: readOnly.url(database: "postgres"))
        let error = #expect(throws: PostgresError.self) { try PostgresConnection(alone) }
        #expect(error?.code == .connection)
        alone.requiresReadWrite = false
        let reader = try PostgresConnection(alone)
        let write = #expect(throws: PostgresError.self) { try reader.execute("CREATE TABLE t (a int)") }
        #expect(write?.sqlState == "25006")
        #expect(write?.isRetriable == true)
    }

    /// The string's own options stay: search_path, application name, encoding of results.
    @Test func keepsTheStringsOptions() throws {
        let database = try TestPostgres.shared.makeDatabase()
        let setting = { (connection: PostgresConnection, name: String) in
            try connection.query("SELECT current_setting($1)", [.text(name)]).text(0, 0)
        }
        let plain = try PostgresConnection(PostgresConfiguration(connection: database.url))
        #expect(try setting(plain, "application_name") == "ackhub")
        #expect(try setting(plain, "client_encoding") == "UTF8")
        #expect(try setting(plain, "statement_timeout") == "30s")
        let url = database.url + "&application_name=other&client_encoding=LATIN1&options=-csearch_path%3Dackhub"
        let own = try PostgresConnection(PostgresConfiguration(connection: url))
        #expect(try setting(own, "application_name") == "other")
        #expect(try setting(own, "client_encoding") == "UTF8")
        #expect(try setting(own, "search_path") == "ackhub")
    }

    /// A password that the server refuses is not in the error.
    @Test func hidesThePassword() throws {
        let server = try TestPostgres.startPrivate()
        var configuration = PostgresConfiguration(connection: server.url(database: "nowhere") + "&password=hunter2")
        configuration.requiresReadWrite = false
        let error = #expect(throws: PostgresError.self) { try PostgresConnection(configuration) }
        #expect(error?.code == .connection)
        #expect(error?.detail.contains("nowhere") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    /// TLS as libpq does it: verified against the string's root, refused under another name, and good for a large COPY.
    @Test func speaksTLS() throws {
        let port = freePort()
        let server = try TestPostgres.startPrivate(port: port, tls: true)
        let root = server.socketFolder + "/server.crt"
        let string =
            "hostaddr=127.0.0.1 port=\(port) user=postgres dbname=postgres sslmode=verify-full sslrootcert=\(root)"
        let connection = try PostgresConnection(PostgresConfiguration(connection: string + " host=localhost"))
        #expect(try connection.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").bool(0, 0))
        try connection.execute("CREATE TABLE t (a int8, b text)")
        try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", columnCount: 2) { rows in
            for index in 0..<50_000 {
                try rows.row()
                rows.append(Int64(index))
                rows.append(text: "0123456789012345678901234567890123456789")
            }
        }
        var count = 0
        try connection.copyOut("COPY t TO STDOUT") { count += $0.byteCount }
        let digits = 10 * 1 + 90 * 2 + 900 * 3 + 9_000 * 4 + 40_000 * 5
        #expect(count == 50_000 * 42 + digits)
        #expect(try connection.query("SELECT string_agg(b, '') FROM t").text(0, 0).utf8.count == 50_000 * 40)
        let error = #expect(throws: PostgresError.self) {
            try PostgresConnection(PostgresConfiguration(connection: string + " host=example.test"))
        }
        #expect(error?.code == .connection)
    }
}
