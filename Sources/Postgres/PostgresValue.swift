/// A parameter. Each case is sent in binary as the PostgreSQL type in its comment; SQL casts it where it needs another.
package enum PostgresValue: Sendable {
    /// Of the type that the statement wants.
    case null
    case bool(Bool)
    /// int2, int4, int8
    case int16(Int16), int32(Int32), int64(Int64)
    /// float8
    case float64(Double)
    /// text; NUL is refused
    case text(String)
    /// bytea
    case bytes([UInt8])
    case uuid(UInt128)
    /// timestamptz, in microseconds since the UNIX epoch
    case timestamp(Int64)
    /// int8[]
    case int64Array([Int64])
    /// int2[]
    case int16Array([Int16])
    /// uuid[]
    case uuidArray([UInt128])
    /// text[]
    case textArray([String])
    /// timestamptz[], in microseconds since the UNIX epoch
    case timestampArray([Int64])
}
