import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.blocking)
struct PostgresQueryTests {
    /// Every parameter type comes back as it went, at its limits, and the server sees the same value.
    @Test func roundTripsValues() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        for value in [Int64.min, -1, 0, .max] {
            #expect(try connection.query("SELECT $1", [.int64(value)]).int64(0, 0) == value)
            #expect(try connection.query("SELECT $1::text", [.int64(value)]).text(0, 0) == String(value))
        }
        for value in [Int32.min, .max] {
            #expect(try connection.query("SELECT $1", [.int32(value)]).int64(0, 0) == Int64(value))
        }
        for value in [Int16.min, .max] {
            #expect(try connection.query("SELECT $1", [.int16(value)]).int64(0, 0) == Int64(value))
        }
        for value in [true, false] { #expect(try connection.query("SELECT $1", [.bool(value)]).bool(0, 0) == value) }
        for value in [0.1, -0.0, .infinity, 5e-300, .greatestFiniteMagnitude] {
            #expect(try connection.query("SELECT $1", [.float64(value)]).float64(0, 0) == value)
        }
        #expect(try connection.query("SELECT 1.5::float4").float64(0, 0) == 1.5)
        for value in ["", "é€😀\u{1}\"'\\", String(repeating: "x", count: 2_000_000)] {
            #expect(try connection.query("SELECT $1", [.text(value)]).text(0, 0) == value)
        }
        for value in [[], [0, 255, 0], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]] {
            #expect(try connection.query("SELECT $1", [.bytes(value)]).bytes(0, 0) == value)
        }
        for value in [UInt128.min, .max, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef] {
            #expect(try connection.query("SELECT $1", [.uuid(value)]).uuid(0, 0) == value)
        }
        #expect(
            try connection.query("SELECT $1::text", [.uuid(0x0123 << 112)]).text(0, 0)
                == "01230000-0000-0000-0000-000000000000")
        #expect(try connection.query("SELECT '{\"a\": 1}'::jsonb").text(0, 0) == "{\"a\": 1}")
        #expect(try connection.query("SELECT 'a'::varchar(9), 'b'::name, '{}'::json").text(0, 2) == "{}")
    }

    /// Timestamps are exact at both ends of PostgreSQL's range and refused beyond; infinity is no number.
    @Test func roundTripsTimestamps() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        let first: Int64 = -211_813_488_000_000_000 + 946_684_800_000_000
        let last: Int64 = 9_223_371_331_200_000_000 - 1
        for value in [first, -1, 0, 1_601_987_755_942_397] {
            #expect(try connection.query("SELECT $1", [.timestamp(value)]).timestamp(0, 0) == value)
        }
        #expect(
            try connection.query("SELECT ($1 AT TIME ZONE 'UTC')::text", [.timestamp(1_601_987_755_942_397)]).text(0, 0)
                == "2020-10-06 12:35:55.942397")
        #expect(try connection.query("SELECT $1", [.timestamp(last)]).timestamp(0, 0) == last)
        for value in [Int64.min, first - 1] {
            #expect(throws: PostgresError.self) { try connection.query("SELECT $1", [.timestamp(value)]) }
        }
        #expect(throws: PostgresError.self) { try connection.query("SELECT 'infinity'::timestamptz").timestamp(0, 0) }
        #expect(try connection.query("SELECT current_setting('TimeZone')").text(0, 0) == "UTC")
    }

    /// Arrays, also empty ones, arrive element by element.
    @Test func sendsArrays() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        let text = { (value: PostgresValue) in try connection.query("SELECT $1::text", [value]).text(0, 0) }
        #expect(try text(.int64Array([.min, 0, .max])) == "{-9223372036854775808,0,9223372036854775807}")
        #expect(try text(.int16Array([-1, 2])) == "{-1,2}")
        #expect(try text(.uuidArray([1])) == "{00000000-0000-0000-0000-000000000001}")
        #expect(try text(.textArray(["a", "", "b c"])) == "{a,\"\",\"b c\"}")
        #expect(try text(.timestampArray([0])) == "{\"1970-01-01 00:00:00+00\"}")
        for empty in [
            PostgresValue.int64Array([]), .int16Array([]), .uuidArray([]), .textArray([]), .timestampArray([]),
        ] {
            #expect(try text(empty) == "{}")
        }
        let rows = try connection.query(
            "SELECT a, b FROM unnest($1::bigint[], $2::text[]) AS t (a, b) ORDER BY a DESC",
            [.int64Array(Array(0..<1000)), .textArray((0..<1000).map(String.init))])
        #expect(rows.count == 1000)
        #expect(try rows.text(0, 1) == "999")
    }

    /// NULL is told apart from an empty value, and reading it as a value is an error that names the column.
    @Test func tellsNull() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        let rows = try connection.query("SELECT $1::text AS nothing, $2 AS empty", [.null, .text("")])
        #expect(rows.columns == ["nothing", "empty"])
        #expect(rows.isNull(0, 0))
        #expect(!rows.isNull(0, 1))
        let error = #expect(throws: PostgresError.self) { try rows.text(0, 0) }
        #expect(error?.code == .type)
        #expect(error?.detail.contains("nothing") == true)
        // The same text with a value where NULL was is another statement to the server.
        #expect(
            try connection.query("SELECT $1::text AS nothing, $2 AS empty", [.int64(7), .text("")]).text(0, 0) == "7")
    }

    /// A value of another type than asked for is an error, never a misread.
    @Test func refusesTheWrongType() throws {
        let fixture = try PostgresFixture()
        let rows = try fixture.connection.query("SELECT 1::numeric AS n, 'x'::text, 1::int8, true")
        #expect(throws: PostgresError.self) { try rows.int64(0, 0) }
        #expect(throws: PostgresError.self) { try rows.int64(0, 1) }
        #expect(throws: PostgresError.self) { try rows.text(0, 2) }
        #expect(throws: PostgresError.self) { try rows.bool(0, 2) }
        #expect(throws: PostgresError.self) { try rows.uuid(0, 1) }
        #expect(throws: PostgresError.self) { try rows.bytes(0, 1) }
        #expect(throws: PostgresError.self) { try rows.timestamp(0, 2) }
        #expect(throws: PostgresError.self) { try rows.float64(0, 0) }
    }

    /// NUL can't be stored: it is refused before anything is sent, and the connection stays good.
    @Test func refusesNUL() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        let bad: [PostgresValue] = [.text("a\0b"), .textArray(["a", "\0"])]
        for value in bad {
            let error = #expect(throws: PostgresError.self) { try connection.query("SELECT $1", [value]) }
            #expect(error?.code == .type)
        }
        #expect(throws: PostgresError.self) { try connection.query("SELECT 1 \0") }
        #expect(throws: PostgresError.self) { try connection.execute("SELECT 1; \0") }
        #expect(try connection.query("SELECT 1").count == 1)
    }

    /// Errors carry SQLSTATE and names, no values; the connection goes on.
    @Test func reportsErrors() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int PRIMARY KEY, b text, CONSTRAINT b_short CHECK (length(b) < 5))")
        let syntax = #expect(throws: PostgresError.self) { try connection.query("SELEC 1") }
        #expect(syntax?.sqlState == "42601")
        #expect(syntax?.code == .server)
        #expect(syntax?.isRetriable == false)
        let insert = "INSERT INTO t VALUES ($1, $2)"
        #expect(try connection.query(insert, [.int32(1), .text("a")]).affected == 1)
        let unique = #expect(throws: PostgresError.self) { try connection.query(insert, [.int32(1), .text("a")]) }
        #expect(unique?.sqlState == "23505")
        #expect(unique?.detail.contains("t_pkey") == true)
        let check = #expect(throws: PostgresError.self) { try connection.query(insert, [.int32(2), .text("secret")]) }
        #expect(check?.sqlState == "23514")
        #expect(check?.detail.contains("b_short") == true)
        #expect(check?.description.contains("secret") == false)
        let value = #expect(throws: PostgresError.self) { try connection.query("SELECT $1::uuid", [.text("secret")]) }
        #expect(value?.sqlState == "22P02")
        #expect(value?.description.contains("secret") == false)
        #expect(connection.isIdle)
    }

    /// Each statement of a string runs; the first error stops the rest and is thrown, whichever statement it is of.
    @Test func executesManyStatements() throws {
        let fixture = try PostgresFixture()
        try fixture.connection.execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
        #expect(try fixture.count("t") == 2)
        let error = #expect(throws: PostgresError.self) {
            try fixture.connection.execute("INSERT INTO t VALUES (3); SELECT 1/0; INSERT INTO t VALUES (4)")
        }
        #expect(error?.sqlState == "22012")
        #expect(try fixture.count("t") == 2)
        try fixture.connection.execute("")
    }

    /// The statement time-out of the configuration ends a statement, retriably, and the connection lives.
    @Test func endsALongStatement() throws {
        let fixture = try PostgresFixture { $0.statementTimeoutMilliseconds = 50 }
        let connection = fixture.connection
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(60)") }
        #expect(error?.sqlState == "57014")
        #expect(error?.isRetriable == true)
        #expect(try connection.query("SELECT 1").count == 1)
    }

    /// Work without time-outs outlasts the server's limit and ours; both hold again after it, whether it failed or not.
    @Test func suspendsTimeouts() throws {
        let fixture = try PostgresFixture {
            $0.statementTimeoutMilliseconds = 50
            $0.answerGraceMilliseconds = 50
        }
        let connection = fixture.connection
        #expect(try connection.withoutTimeouts { try connection.query("SELECT 1, pg_sleep(0.3)").int64(0, 0) } == 1)
        #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(60)") }
        #expect(throws: PostgresError.self) { try connection.withoutTimeouts { try connection.query("SELECT 1/0") } }
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(60)") }
        #expect(error?.sqlState == "57014")
    }

    /// A prepared statement whose table has changed is prepared anew.
    @Test func preparesAnewAfterChanges() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
        #expect(try connection.query("SELECT * FROM t").columns == ["a"])
        try connection.execute("ALTER TABLE t ADD b text")
        #expect(try connection.query("SELECT * FROM t").columns == ["a", "b"])
        try connection.execute("DEALLOCATE ALL")
        #expect(try connection.query("SELECT * FROM t").count == 1)
        // Inside a transaction the error ends it; the next try is good.
        try connection.execute("ALTER TABLE t ADD c text")
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction { _ = try connection.query("SELECT * FROM t") }
        }
        #expect(error?.isRetriable == true)
        #expect(try connection.transaction { try connection.query("SELECT * FROM t").columns } == ["a", "b", "c"])
    }

    /// The number of prepared statements is bounded.
    @Test func boundsPreparedStatements() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        for index in 0..<(PostgresConnection.preparedStatementsMax + 50) { try connection.query("SELECT \(index)") }
        let prepared = try connection.query("SELECT count(*) FROM pg_prepared_statements").int64(0, 0)
        #expect(prepared <= Int64(PostgresConnection.preparedStatementsMax))
        #expect(try connection.query("SELECT 3").int64(0, 0) == 3)
    }

    /// Notices reach the handler and nothing else.
    @Test func handsOnNotices() throws {
        let notices = Notices()
        let fixture = try PostgresFixture { $0.onNotice = { notices.add($0) } }
        let connection = fixture.connection
        try connection.execute("DO $$ BEGIN RAISE WARNING 'look out'; END $$")
        #expect(notices.all == ["WARNING: look out (SQLSTATE 01000)"])
    }
}

final class Notices: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { self.texts.withLock { $0.append(text) } }
    var all: [String] { self.texts.withLock { $0 } }
}
