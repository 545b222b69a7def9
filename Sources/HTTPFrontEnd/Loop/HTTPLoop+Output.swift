extension HTTPLoop {
    /// Appends to the connection's output, which borrows a block when it has no memory.
    @inline(__always)
    func withOutput(_ connection: ConnectionPointer, _ body: (inout ByteQueue) -> Void) {
        if connection.pointee.output.capacity == 0 { connection.pointee.output = self.pool.borrow() }
        body(&connection.pointee.output)
    }

    /// A whole response: its prepared bytes around today's date.
    func append(_ response: borrowing HTTPResponse, to connection: ConnectionPointer, keepsAlive: Bool) {
        let bytes = response.bytes
        self.counters.countResponse(bytes.status)
        let ending = self.ending(connection, keepsAlive: keepsAlive)
        let hidesBody = connection.pointee.isHead
        self.withOutput(connection) { output in
            output.append(bytes.head)
            if let date = self.clock.date.baseAddress { output.append(date, HTTPDate.byteCount) }
            output.append(ending.text)
            if !hidesBody, !bytes.body.isEmpty { output.append(bytes.body) }
        }
    }

    /// The head of a streamed response.
    func appendStart(_ start: StreamStart, to connection: ConnectionPointer) {
        self.counters.countResponse(start.status)
        let hasNoBody = HTTPStatus.hasNoBody(start.status)
        connection.pointee.hidesBody = hasNoBody || connection.pointee.isHead
        connection.pointee.isChunking = !hasNoBody && !connection.pointee.isVersion10
        // A 1.0 body of unknown length ends with the connection.
        if !hasNoBody, connection.pointee.isVersion10 { connection.pointee.keepsAlive = false }
        if self.isDraining { connection.pointee.keepsAlive = false }
        let isChunking = connection.pointee.isChunking
        let ending = self.ending(connection, keepsAlive: connection.pointee.keepsAlive)
        self.withOutput(connection) { output in
            output.append(start.head)
            if isChunking { output.append("Transfer-Encoding: chunked\r\n") }
            output.append("Date: ")
            if let date = self.clock.date.baseAddress { output.append(date, HTTPDate.byteCount) }
            output.append(ending.text)
        }
    }

    /// A piece of a streamed response's body.
    func appendPiece(_ piece: [UInt8], to connection: ConnectionPointer) {
        guard !connection.pointee.hidesBody, !piece.isEmpty else { return }
        let isChunking = connection.pointee.isChunking
        self.withOutput(connection) { output in
            if isChunking { output.append(Array((String(piece.count, radix: 16) + "\r\n").utf8)) }
            output.append(piece)
            if isChunking { output.append("\r\n") }
        }
    }

    /// The end of a streamed response.
    func appendEnd(to connection: ConnectionPointer) {
        guard connection.pointee.isChunking, !connection.pointee.hidesBody else { return }
        self.withOutput(connection) { $0.append("0\r\n\r\n") }
    }

    private func ending(_ connection: ConnectionPointer, keepsAlive: Bool) -> ResponseHead.Ending {
        if !keepsAlive { return .closes }
        return connection.pointee.isVersion10 ? .keepsAlive : .stays
    }

    /// Sends what waits, as far as the peer takes it. False when the connection is closed now.
    func flush(_ connection: ConnectionPointer) -> Bool {
        while !connection.pointee.output.isEmpty, connection.pointee.isWritable {
            switch self.send(connection) {
            case .bytes(let count):
                self.counters.bytesSent.add(count)
                connection.pointee.output.take(count)
                if connection.pointee.timeout == .write { connection.pointee.timeout = .none }
            case .wouldBlock:
                connection.pointee.isWritable = false
            case .ended, .failed:
                self.abort(connection)
                return false
            }
        }
        return true
    }
}
