import CPostgres

/// A result, rows × columns, decoded on access. Rows and columns count from 0; beyond them is a programming error.
///
/// Shares libpq's memory: keep values, not rows, for long.
package struct PostgresRows: Sendable {
    private let result: PostgresResult

    init(_ result: PostgresResult) { self.result = result }

    package var count: Int { Int(PQntuples(self.result.pointer)) }

    package var columns: [String] {
        (0..<PQnfields(self.result.pointer)).map { String(cString: PQfname(self.result.pointer, $0)) }
    }

    /// Rows changed, for INSERT, UPDATE, DELETE, MERGE; rows returned for SELECT; 0 for others.
    package var affected: Int { Int(String(cString: PQcmdTuples(self.result.pointer))) ?? 0 }

    package func isNull(_ row: Int, _ column: Int) -> Bool {
        self.check(row, column)
        return PQgetisnull(self.result.pointer, Int32(row), Int32(column)) != 0
    }

    /// int2, int4 and int8
    package func int64(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        let field = try self.field(row, column)
        switch field.type {
        case PostgresType.int64: return Int64(bitPattern: try self.load(field, UInt64.self))
        case PostgresType.int32: return Int64(Int32(bitPattern: try self.load(field, UInt32.self)))
        case PostgresType.int16: return Int64(Int16(bitPattern: try self.load(field, UInt16.self)))
        default: throw self.mismatch(field, "an integer")
        }
    }

    package func bool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        let field = try self.field(row, column)
        guard field.type == PostgresType.bool else { throw self.mismatch(field, "a bool") }
        return try self.load(field, UInt8.self) != 0
    }

    /// float4 and float8
    package func float64(_ row: Int, _ column: Int) throws(PostgresError) -> Double {
        let field = try self.field(row, column)
        switch field.type {
        case PostgresType.float64: return Double(bitPattern: try self.load(field, UInt64.self))
        case PostgresType.float32: return Double(Float(bitPattern: try self.load(field, UInt32.self)))
        default: throw self.mismatch(field, "a float")
        }
    }

    /// text, varchar, char, name, json and jsonb
    package func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
        let field = try self.field(row, column)
        if PostgresType.texts.contains(field.type) { return String(decoding: field.bytes, as: UTF8.self) }
        // jsonb_send: a version byte, then the text.
        guard field.type == PostgresType.jsonb, field.bytes.first == 1 else { throw self.mismatch(field, "a text") }
        return String(decoding: field.bytes.dropFirst(), as: UTF8.self)
    }

    package func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
        let field = try self.field(row, column)
        guard field.type == PostgresType.bytes else { throw self.mismatch(field, "a bytea") }
        return [UInt8](field.bytes)
    }

    package func uuid(_ row: Int, _ column: Int) throws(PostgresError) -> UInt128 {
        let field = try self.field(row, column)
        guard field.type == PostgresType.uuid else { throw self.mismatch(field, "a uuid") }
        return try self.load(field, UInt128.self)
    }

    /// Microseconds since the UNIX epoch, of a timestamptz, or of a timestamp taken as UTC. The infinities are errors.
    package func timestamp(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        let field = try self.field(row, column)
        guard field.type == PostgresType.timestamptz || field.type == PostgresType.timestamp else {
            throw self.mismatch(field, "a timestamp")
        }
        let value = Int64(bitPattern: try self.load(field, UInt64.self))
        guard let value = PostgresTime.unix(server: value) else { throw PostgresError.timestampRange }
        return value
    }

    // MARK: Fields

    private struct Field {
        var column: Int
        var type: UInt32
        /// Inside the result, which `self` keeps.
        var bytes: UnsafeRawBufferPointer
    }

    private func check(_ row: Int, _ column: Int) {
        precondition(row >= 0 && row < self.count, "no such row")
        precondition(column >= 0 && column < Int(PQnfields(self.result.pointer)), "no such column")
    }

    private func field(_ row: Int, _ column: Int) throws(PostgresError) -> Field {
        self.check(row, column)
        let result = self.result.pointer
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0 else {
            throw PostgresError(code: .type, detail: "column \(self.name(column)) is NULL")
        }
        guard PQfformat(result, Int32(column)) == 1 else {
            throw PostgresError(code: .type, detail: "column \(self.name(column)) is not in binary")
        }
        let length = Int(PQgetlength(result, Int32(row), Int32(column)))
        let start = PQgetvalue(result, Int32(row), Int32(column))
        return Field(
            column: column, type: PQftype(result, Int32(column)),
            bytes: UnsafeRawBufferPointer(start: start, count: length))
    }

    private func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ field: Field, _ type: Value.Type
    ) throws(PostgresError) -> Value {
        guard field.bytes.count == MemoryLayout<Value>.size else {
            throw self.mismatch(field, "\(Value.bitWidth) bits")
        }
        return Value(bigEndian: field.bytes.loadUnaligned(as: Value.self))
    }

    private func name(_ column: Int) -> String { String(cString: PQfname(self.result.pointer, Int32(column))) }

    private func mismatch(_ field: Field, _ wanted: String) -> PostgresError {
        PostgresError(
            code: .type, detail: "column \(self.name(field.column)) is not \(wanted): its type has OID \(field.type)")
    }
}
