/// The parameters of one statement in PostgreSQL's binary form, all in one buffer.
struct PostgresParameters {
    private(set) var types: [UInt32] = []
    /// Nil is NULL.
    private var ranges: [Range<Int>?] = []
    private var bytes: [UInt8] = []

    /// A value's limit, below the server's own of 1 GiB for a field.
    private static let valueBytesMax = 1 << 29

    init(_ values: [PostgresValue]) throws(PostgresError) {
        precondition(values.count <= 65_535, "the protocol counts parameters in 16 bits")
        self.types.reserveCapacity(values.count)
        self.ranges.reserveCapacity(values.count)
        for value in values {
            let start = self.bytes.count
            guard let type = try self.append(value) else {
                self.types.append(0)
                self.ranges.append(nil)
                continue
            }
            guard self.bytes.count - start <= Self.valueBytesMax else {
                throw PostgresError(code: .type, detail: "a parameter of more than \(Self.valueBytesMax) bytes")
            }
            self.types.append(type)
            self.ranges.append(start..<self.bytes.count)
        }
        // An empty value needs an address that is not nil, which libpq takes as NULL.
        self.bytes.append(0)
    }

    /// libpq's three arrays, valid inside `body`.
    func withArrays<Result>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>, _ lengths: UnsafePointer<Int32>,
            _ formats: UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        self.bytes.withUnsafeBytes { bytes in
            let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress!
            let values = self.ranges.map { range in range.map { base + $0.lowerBound } }
            let lengths = self.ranges.map { Int32($0?.count ?? 0) }
            return body(values, lengths, [Int32](repeating: 1, count: values.count))
        }
    }

    /// Appends one value; its type, or nil for NULL.
    private mutating func append(_ value: PostgresValue) throws(PostgresError) -> UInt32? {
        switch value {
        case .null: return nil
        case .bool(let value):
            self.bytes.append(value ? 1 : 0)
            return PostgresType.bool
        case .int16(let value):
            self.bytes.append(bigEndian: value)
            return PostgresType.int16
        case .int32(let value):
            self.bytes.append(bigEndian: value)
            return PostgresType.int32
        case .int64(let value):
            self.bytes.append(bigEndian: value)
            return PostgresType.int64
        case .float64(let value):
            self.bytes.append(bigEndian: value.bitPattern)
            return PostgresType.float64
        case .text(let value):
            try self.append(text: value)
            return PostgresType.text
        case .bytes(let value):
            self.bytes.append(contentsOf: value)
            return PostgresType.bytes
        case .uuid(let value):
            self.bytes.append(bigEndian: value)
            return PostgresType.uuid
        case .timestamp(let value):
            try self.append(timestamp: value)
            return PostgresType.timestamptz
        case .int64Array(let values):
            self.append(values, of: PostgresType.int64)
            return PostgresType.int64Array
        case .int16Array(let values):
            self.append(values, of: PostgresType.int16)
            return PostgresType.int16Array
        case .uuidArray(let values):
            self.append(values, of: PostgresType.uuid)
            return PostgresType.uuidArray
        case .textArray(let values):
            self.beginArray(count: values.count, of: PostgresType.text)
            for value in values {
                self.bytes.append(bigEndian: Int32(clamping: value.utf8.count))
                try self.append(text: value)
            }
            return PostgresType.textArray
        case .timestampArray(let values):
            self.beginArray(count: values.count, of: PostgresType.timestamptz)
            for value in values {
                self.bytes.append(bigEndian: Int32(8))
                try self.append(timestamp: value)
            }
            return PostgresType.timestamptzArray
        }
    }

    private mutating func append(text: String) throws(PostgresError) {
        guard !text.utf8.contains(0) else { throw PostgresError.nulInText }
        self.bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(timestamp: Int64) throws(PostgresError) {
        guard let value = PostgresTime.server(unix: timestamp) else { throw PostgresError.timestampRange }
        self.bytes.append(bigEndian: value)
    }

    private mutating func append<Element: FixedWidthInteger & BitwiseCopyable>(
        _ values: [Element], of type: UInt32
    ) {
        self.beginArray(count: values.count, of: type)
        let length = Element.bitWidth / 8
        var offset = self.bytes.count
        self.bytes.append(contentsOf: repeatElement(0, count: values.count * (4 + length)))
        self.bytes.withUnsafeMutableBytes { bytes in
            for value in values {
                bytes.storeBytes(of: Int32(length).bigEndian, toByteOffset: offset, as: Int32.self)
                bytes.storeBytes(of: value.bigEndian, toByteOffset: offset + 4, as: Element.self)
                offset += 4 + length
            }
        }
    }

    /// array_send's header: dimensions, no NULLs, element type, then length and lower bound of the one dimension.
    private mutating func beginArray(count: Int, of type: UInt32) {
        self.bytes.append(bigEndian: Int32(count == 0 ? 0 : 1))
        self.bytes.append(bigEndian: Int32(0))
        self.bytes.append(bigEndian: type)
        guard count > 0 else { return }
        self.bytes.append(bigEndian: Int32(clamping: count))
        self.bytes.append(bigEndian: Int32(1))
    }
}

extension PostgresError {
    static let nulInText = PostgresError(code: .type, detail: "a text with NUL, which PostgreSQL can't store")
    static let timestampRange = PostgresError(code: .type, detail: "a timestamp outside of PostgreSQL's range")
}

extension [UInt8] {
    fileprivate mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
        Swift.withUnsafeBytes(of: value.bigEndian) { self.append(contentsOf: $0) }
    }
}
