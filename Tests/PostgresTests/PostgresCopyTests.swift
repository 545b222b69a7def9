import Postgres
import TestSupport
import Testing

@Suite(.blocking)
struct PostgresCopyTests {
    private static let table = """
        CREATE TABLE t (
            a bool, b int2, c int4, d int8, e float8, f uuid, g timestamptz, h bytea, i text, j inet, k text)
        """
    private static let copy = "COPY t FROM STDIN (FORMAT binary)"

    private static func appendRow(_ rows: inout CopyRows, _ index: Int) throws {
        try rows.row()
        rows.append(index % 2 == 0)
        rows.append(Int16(truncatingIfNeeded: index))
        rows.append(Int32(index))
        rows.append(Int64(index) << 32)
        rows.append(Double(index) / 2)
        rows.append(uuid: UInt128(index))
        rows.append(timestamp: Int64(index) * 1_000_000)
        let bytes = [UInt8](repeating: UInt8(index & 255), count: index % 300)
        rows.append(bytes: bytes.span.bytes)
        rows.append(text: "é\(index)")
        let address: [UInt8] =
            index % 2 == 0 ? [192, 0, 2, 7] : [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 12)
        rows.append(inet: address.span.bytes)
        rows.null()
    }

    /// 10 000 rows of every type arrive as they were sent.
    @Test func copiesRowsIn() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute(Self.table)
        let count = try connection.copyIn(Self.copy, columnCount: 11) { rows in
            for index in 0..<10_000 { try Self.appendRow(&rows, index) }
        }
        #expect(count == 10_000)
        let good = try connection.query(
            """
            SELECT count(*) FROM t
            WHERE a = (c % 2 = 0) AND b = c AND d = c::int8 << 32 AND e = c / 2.0
              AND f = lpad(to_hex(c), 32, '0')::uuid AND g = to_timestamp(c) AND length(h) = c % 300
              AND i = 'é' || c AND host(j) = CASE WHEN a THEN '192.0.2.7' ELSE '2001:db8::' END
              AND masklen(j) = CASE WHEN a THEN 32 ELSE 128 END AND k IS NULL
            """)
        #expect(try good.int64(0, 0) == 10_000)
        #expect(try connection.query("SELECT max(c) FROM t").int64(0, 0) == 9_999)
        #expect(try connection.copyIn(Self.copy, columnCount: 11) { _ in } == 0)
    }

    /// A body that throws, a short or long row, a value that can't be stored: nothing is left, the connection goes on.
    @Test func abortsACopy() throws {
        struct Stop: Error {}
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int8, b text)")
        let copy = { (body: (inout CopyRows) throws -> Void) throws -> Void in
            try connection.copyIn(Self.copy, columnCount: 2) { rows in
                for index in 0..<5_000 {
                    try rows.row()
                    rows.append(Int64(index))
                    rows.append(text: "some text of some length")
                }
                try body(&rows)
            }
        }
        #expect(throws: Stop.self) { try copy { _ in throw Stop() } }
        let wrong: [(inout CopyRows) throws -> Void] = [
            { rows in
                try rows.row()
                rows.append(Int64(1))
            },
            { rows in
                try rows.row()
                rows.append(Int64(1))
                rows.null()
                rows.null()
                try rows.row()
            },
            { rows in
                try rows.row()
                rows.append(Int64(1))
                rows.append(text: "a\0")
            },
            { rows in
                try rows.row()
                rows.append(timestamp: .min)
                rows.null()
            },
        ]
        for body in wrong {
            let error = #expect(throws: PostgresError.self) { try copy(body) }
            #expect(error?.code == .type)
            #expect(connection.isIdle)
        }
        #expect(try fixture.count("t") == 0)
    }

    /// What the server refuses is thrown with its SQLSTATE: at the start, in a value, and by a constraint.
    @Test func reportsTheServersErrors() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int8 CHECK (a < 100), b text)")
        let missing = #expect(throws: PostgresError.self) {
            try connection.copyIn("COPY nowhere FROM STDIN (FORMAT binary)", columnCount: 1) { _ in }
        }
        #expect(missing?.sqlState == "42P01")
        let check = #expect(throws: PostgresError.self) {
            try connection.copyIn(Self.copy, columnCount: 2) { rows in
                // Enough to fill the socket: the server's error meets a sender that is not through.
                for index in 0..<200_000 {
                    try rows.row()
                    rows.append(Int64(index))
                    rows.append(text: "0123456789")
                }
            }
        }
        #expect(check?.sqlState == "23514")
        let encoding = #expect(throws: PostgresError.self) {
            try connection.copyIn(Self.copy, columnCount: 2) { rows in
                try rows.row()
                rows.append(Int64(1))
                rows.append(bytes: ([0xff, 0xfe] as [UInt8]).span.bytes)
            }
        }
        #expect(encoding?.sqlState == "22021")
        let columns = #expect(throws: PostgresError.self) { try connection.copyIn(Self.copy, columnCount: 3) { _ in } }
        #expect(columns?.code == .type)
        let select = #expect(throws: PostgresError.self) { try connection.copyIn("SELECT 1", columnCount: 1) { _ in } }
        #expect(select?.code == .type)
        #expect(try fixture.count("t") == 0)
        #expect(connection.isIdle)
    }

    /// COPY within a transaction goes with it.
    @Test func copiesInsideATransaction() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        try connection.execute("CREATE TABLE t (a int8)")
        let add = { (value: Int64) in
            try connection.copyIn(Self.copy, columnCount: 1) { rows in
                try rows.row()
                rows.append(value)
            }
        }
        try connection.transaction {
            _ = try add(1)
            _ = try add(2)
        }
        #expect(try fixture.count("t") == 2)
        #expect(throws: PostgresError.self) {
            try connection.transaction {
                _ = try add(3)
                try connection.execute("SELECT 1/0")
            }
        }
        #expect(try fixture.count("t") == 2)
    }

    /// Every byte of a large COPY comes out, and the connection is good after it.
    @Test func copiesOut() throws {
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        var lines: [String] = []
        try connection.copyOut("COPY (SELECT i, repeat('x', 100) FROM generate_series(1, 20000) i) TO STDOUT") {
            bytes in
            lines.append(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        }
        #expect(lines.count == 20_000)
        #expect(lines.last == "20000\t" + String(repeating: "x", count: 100) + "\n")
        #expect(try connection.query("SELECT 1").count == 1)
        let late = #expect(throws: PostgresError.self) {
            try connection.copyOut("COPY (SELECT 1 / (100 - i) FROM generate_series(1, 200) i) TO STDOUT") { _ in }
        }
        #expect(late?.sqlState == "22012")
        #expect(connection.isIdle)
    }

    /// A reader that stops gives the connection up; COPY through the wrong door is refused.
    @Test func stopsCopyingOut() throws {
        struct Stop: Error {}
        let fixture = try PostgresFixture()
        let connection = fixture.connection
        #expect(throws: Stop.self) {
            try connection.copyOut("COPY (SELECT generate_series(1, 10000000)) TO STDOUT") { _ in throw Stop() }
        }
        #expect(!connection.isUsable)
        let other = try fixture.connect()
        let error = #expect(throws: PostgresError.self) { try other.execute("COPY (SELECT 1) TO STDOUT") }
        #expect(error?.code == .type)
        #expect(!other.isUsable)
    }
}
