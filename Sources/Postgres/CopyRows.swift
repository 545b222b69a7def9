/// Rows being copied in, binary (PostgreSQL, COPY, "Binary Format"). Call `row()` and then exactly columnCount appends.
///
/// Values go into one buffer that is sent whenever it is full; no append allocates. A value that PostgreSQL can't hold
/// makes the next `row()`, or the end, throw.
package struct CopyRows: ~Copyable {
    /// A block is sent once it has as many bytes.
    private static let blockBytes = 65_536

    private let connection: PostgresConnection
    private let columnCount: Int
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var count = 0
    private var fieldsLeft = 0
    private var rowCount = 0
    private var failure: PostgresError?

    init(_ connection: PostgresConnection, columnCount: Int) {
        self.connection = connection
        self.columnCount = columnCount
        self.capacity = Self.blockBytes + 4096
        self.base = .allocate(byteCount: self.capacity, alignment: 16)
        // Signature, flags, length of the header's extension.
        let header: StaticString = "PGCOPY\n"
        self.base.copyMemory(from: header.utf8Start, byteCount: 7)
        self.count = 7
        self.put(UInt32(0xff0d_0a00))
        self.put(UInt64(0))
    }

    deinit { self.base.deallocate() }

    /// Begins a row. Throws what was wrong with the one before, or with the connection.
    package mutating func row() throws(PostgresError) {
        try self.endRow()
        if self.count >= Self.blockBytes { try self.send() }
        self.put(Int16(self.columnCount))
        self.fieldsLeft = self.columnCount
        self.rowCount += 1
    }

    package mutating func null() { self.begin(-1) }

    package mutating func append(_ value: Bool) {
        self.field(UInt8(value ? 1 : 0))
    }

    package mutating func append(_ value: Int16) {
        self.field(value)
    }

    package mutating func append(_ value: Int32) {
        self.field(value)
    }

    package mutating func append(_ value: Int64) {
        self.field(value)
    }

    package mutating func append(_ value: Double) {
        self.field(value.bitPattern)
    }

    package mutating func append(uuid: UInt128) {
        self.field(uuid)
    }

    /// Microseconds since the UNIX epoch.
    package mutating func append(timestamp: Int64) {
        guard let value = PostgresTime.server(unix: timestamp) else { return self.fail(PostgresError.timestampRange) }
        self.field(value)
    }

    /// text or bytea; the server refuses NUL and what is not UTF-8 in a text.
    package mutating func append(bytes: RawSpan) { bytes.withUnsafeBytes { self.append($0) } }

    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard !utf8.contains(0) else { return self.fail(PostgresError.nulInText) }
            self.append(UnsafeRawBufferPointer(utf8))
        }
    }

    /// A PostgreSQL inet of 4 or 16 address bytes (network order), full prefix.
    package mutating func append(inet: RawSpan) {
        precondition(inet.byteCount == 4 || inet.byteCount == 16, "an address has 4 or 16 bytes")
        self.begin(Int32(4 + inet.byteCount))
        // network.c: family (2, 3), prefix length, is_cidr, length of the address.
        self.put(UInt8(inet.byteCount == 4 ? 2 : 3))
        self.put(UInt8(inet.byteCount * 8))
        self.put(UInt8(0))
        self.put(UInt8(inet.byteCount))
        inet.withUnsafeBytes { self.put($0) }
    }

    /// Ends the last row, sends what is left and the trailer; the number of rows.
    mutating func finish() throws(PostgresError) -> Int {
        try self.endRow()
        self.put(Int16(-1))
        try self.send()
        return self.rowCount
    }

    private mutating func endRow() throws(PostgresError) {
        if let failure = self.failure { throw failure }
        guard self.fieldsLeft == 0 else {
            throw PostgresError(code: .type, detail: "a row of \(self.columnCount - self.fieldsLeft) fields")
        }
    }

    private mutating func send() throws(PostgresError) {
        try self.connection.putCopyData(UnsafeRawBufferPointer(start: self.base, count: self.count))
        self.count = 0
    }

    private mutating func fail(_ error: PostgresError) {
        self.fieldsLeft -= 1
        self.failure = self.failure ?? error
    }

    // MARK: Bytes

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let length = Int32(exactly: bytes.count) else {
            return self.fail(PostgresError(code: .type, detail: "a value of more than 2^31 bytes"))
        }
        self.begin(length)
        self.put(bytes)
    }

    /// The length word of one field.
    private mutating func begin(_ length: Int32) {
        self.fieldsLeft -= 1
        self.put(length)
    }

    /// One field of a fixed width.
    private mutating func field<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        let length = MemoryLayout<Value>.size
        self.reserve(4 + length)
        self.base.storeBytes(of: Int32(length).bigEndian, toByteOffset: self.count, as: Int32.self)
        self.base.storeBytes(of: value.bigEndian, toByteOffset: self.count + 4, as: Value.self)
        self.count += 4 + length
        self.fieldsLeft -= 1
    }

    private mutating func put<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        self.reserve(MemoryLayout<Value>.size)
        self.base.storeBytes(of: value.bigEndian, toByteOffset: self.count, as: Value.self)
        self.count += MemoryLayout<Value>.size
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        self.reserve(bytes.count)
        (self.base + self.count).copyMemory(from: start, byteCount: bytes.count)
        self.count += bytes.count
    }

    /// Every write goes through here first: afterwards `count + more <= capacity`.
    private mutating func reserve(_ more: Int) {
        guard self.capacity - self.count < more else { return }
        let capacity = max(self.capacity * 2, self.count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: self.base, byteCount: self.count)
        self.base.deallocate()
        self.base = larger
        self.capacity = capacity
    }
}
