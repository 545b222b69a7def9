import CPostgres

extension PostgresConnection {
    /// `COPY … FROM STDIN (FORMAT binary)`. Returns rows copied.
    ///
    /// The body adds rows to its argument, which sends them in blocks. When it throws, the COPY is aborted and leaves
    /// nothing, and its error is thrown on.
    @discardableResult
    package func copyIn(_ sql: String, columnCount: Int, _ body: (inout CopyRows) throws -> Void) throws -> Int {
        let columns = try self.beginCopy(sql, PGRES_COPY_IN)
        do {
            guard columns == columnCount else {
                throw PostgresError(code: .type, detail: "COPY takes \(columns) columns, not \(columnCount)")
            }
            var rows = CopyRows(self, columnCount: columnCount)
            try body(&rows)
            let count = try rows.finish()
            try self.putCopyEnd(nil)
            _ = try self.lastResult()
            return count
        } catch {
            // Else the error came with the answer, after which the server is ready again.
            if PQtransactionStatus(self.pointer) == PQTRANS_ACTIVE && self.isUsable { self.abortCopy() }
            throw error
        }
    }

    /// `COPY … TO STDOUT`: each CopyData message's bytes.
    ///
    /// When the body throws, the connection is given up: the server can't be told to stop in time.
    package func copyOut(_ sql: String, _ body: (RawSpan) throws -> Void) throws {
        _ = try self.beginCopy(sql, PGRES_COPY_OUT)
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(self.pointer, &message, 1)
            defer { PQfreemem(message) }
            if count == 0 {
                try self.wait(writing: false)
                guard PQconsumeInput(self.pointer) == 1 else { throw self.abandon(.connection) }
                continue
            }
            guard count > 0 else { break }
            do {
                try body(UnsafeRawBufferPointer(start: message, count: Int(count)).bytes)
            } catch {
                _ = self.abandon(.connection)
                throw error
            }
        }
        _ = try self.lastResult()
    }

    /// Sends a block of COPY data and waits until the kernel has it.
    func putCopyData(_ block: UnsafeRawBufferPointer) throws(PostgresError) {
        let bytes = block.assumingMemoryBound(to: CChar.self)
        while true {
            switch PQputCopyData(self.pointer, bytes.baseAddress, Int32(bytes.count)) {
            case 1: return try self.flush()
            case 0: try self.flush()
            default: throw self.abandon(.connection)
            }
        }
    }

    /// Begins a COPY; the number of its columns.
    private func beginCopy(_ sql: String, _ wanted: ExecStatusType) throws(PostgresError) -> Int {
        if sql.utf8.contains(0) { throw PostgresError.nulInText }
        try self.send(PQsendQuery(self.pointer, sql))
        guard let result = try self.nextResult() else { throw self.abandon(.connection) }
        guard result.status == wanted else { throw try self.refuseCopy(result) }
        return Int(PQnfields(result.pointer))
    }

    /// The error of a statement that has not begun the COPY that was asked for; the connection is ready again, or given up.
    private func refuseCopy(_ result: PostgresResult) throws(PostgresError) -> PostgresError {
        var failure = PostgresError(code: .type, detail: "the statement is no COPY of this direction")
        if result.status == PGRES_COPY_IN || result.status == PGRES_COPY_OUT {
            _ = self.abandon(.type)
            return failure
        }
        if result.status == PGRES_FATAL_ERROR { failure = PostgresError(result: result.pointer) }
        while try self.nextResult() != nil {}
        if !self.isUsable { failure.code = .connection }
        return failure
    }

    private func putCopyEnd(_ reason: String?) throws(PostgresError) {
        while true {
            switch PQputCopyEnd(self.pointer, reason) {
            case 1: return
            case 0: try self.flush()
            default: throw self.abandon(.connection)
            }
        }
    }

    private func abortCopy() {
        do {
            try self.putCopyEnd("aborted by the client")
            _ = try self.lastResult()
        } catch {
            // The server's answer to the abort is this error, of 57014; anything worse has made the connection unusable.
        }
    }
}
