import Synchronization

extension HTTPLoop {
    /// Starts an endpoint's task for the present exchange.
    func begin(_ endpoint: @escaping HTTPEndpoint, _ request: HTTPRequest, _ connection: ConnectionPointer) {
        let exchange = EndpointExchange(
            id: connection.pointee.exchange, loop: self, bytesMax: self.limits.mailboxBytesMax,
            hasBody: !connection.pointee.bodyEnded)
        connection.pointee.endpoint = exchange
        connection.pointee.phase = .endpoint
        connection.pointee.isChunking = false
        connection.pointee.hidesBody = false
        exchange.run(endpoint, request)
    }

    /// What tasks left for their connections.
    func takeInbox() {
        let posted = self.inbox.withLock { inbox in
            let posted = inbox
            inbox.removeAll()
            return posted
        }
        for exchange in posted {
            exchange.beginTaking()
            guard let connection = self.slab[exchange.id.slot], connection.pointee.endpoint === exchange else {
                continue
            }
            self.advance(connection)
        }
    }

    /// Moves body bytes to the endpoint and response bytes from it.
    func pump(_ connection: ConnectionPointer) -> Bool {
        guard let exchange = connection.pointee.endpoint else { preconditionFailure("an endpoint has its exchange") }
        if self.pumpResponse(connection, exchange) { return connection.pointee.phase != .free }
        guard connection.pointee.phase != .free, !connection.pointee.bodyEnded else { return false }
        return self.pumpBody(connection, exchange)
    }

    /// Whether the exchange ended (or the connection).
    private func pumpResponse(_ connection: ConnectionPointer, _ exchange: EndpointExchange) -> Bool {
        while true {
            if connection.pointee.output.count >= Self.outputBytesMax {
                guard self.flush(connection) else { return true }
                guard connection.pointee.output.isEmpty else {
                    self.counters.outputPauses.add()
                    return false
                }
            }
            guard let output = exchange.takeOutput() else { return false }
            switch output {
            case .response(let response):
                self.respondFromEndpoint(connection, response)
                return true
            case .start(let start):
                // A stream that begins before its request's body is read may be meant to answer it piece by piece: the
                // client must send now, after the final head it would not.
                if connection.pointee.awaitsContinue { self.sendContinue(connection) }
                self.appendStart(start, to: connection)
            case .piece(let piece):
                self.appendPiece(piece, to: connection)
            case .end:
                self.appendEnd(to: connection)
                self.endEndpoint(connection, keepsAlive: connection.pointee.keepsAlive)
                return true
            case .broken:
                // A stream that can't go on must not look whole: no last chunk, and the end of the connection.
                guard self.flush(connection) else { return true }
                self.abort(connection)
                return true
            }
        }
    }

    private func respondFromEndpoint(_ connection: ConnectionPointer, _ response: HTTPResponse) {
        self.closeUnlessBodyFits(connection)
        let keepsAlive = connection.pointee.keepsAlive && !response.bytes.closes && !self.isDraining
        self.append(response, to: connection, keepsAlive: keepsAlive)
        self.endEndpoint(connection, keepsAlive: keepsAlive)
    }

    /// A body that nobody asked for, or too long a rest of one, is not worth reading.
    private func closeUnlessBodyFits(_ connection: ConnectionPointer) {
        guard !connection.pointee.bodyEnded else { return }
        let remaining = connection.pointee.body.remainingBytes ?? 0
        if connection.pointee.awaitsContinue || remaining > self.limits.unreadBodyBytesMax {
            connection.pointee.keepsAlive = false
        }
    }

    private func endEndpoint(_ connection: ConnectionPointer, keepsAlive: Bool) {
        connection.pointee.endpoint?.disconnect()
        connection.pointee.endpoint = nil
        if connection.pointee.bodyEnded || !keepsAlive {
            self.endExchange(connection, keepsAlive: keepsAlive, lingers: !connection.pointee.bodyEnded)
        } else {
            connection.pointee.phase = .dropping
            connection.pointee.droppedBytes = 0
            connection.pointee.timeout = .none
        }
    }

    private func pumpBody(_ connection: ConnectionPointer, _ exchange: EndpointExchange) -> Bool {
        if connection.pointee.awaitsContinue {
            guard exchange.isBodyWanted else { return false }
            self.sendContinue(connection)
        }
        guard exchange.hasRoom else { return false }
        switch self.nextBodyPart(connection) {
        case .data(let range, let consumed):
            let piece = [UInt8](connection.pointee.input.bytes[range])
            connection.pointee.input.take(consumed)
            self.noteBodyProgress(connection, piece.count)
            if !exchange.deliver(piece) { self.counters.bodyPauses.add() }
            return true
        case .end(let consumed):
            connection.pointee.input.take(consumed)
            connection.pointee.bodyEnded = true
            exchange.endBody()
            return true
        case .rejected(let reason):
            self.counters.countRejection(reason)
            self.failBody(connection, .malformed)
            return true
        case .needsMore:
            return self.fillBody(connection)
        }
    }

    /// The body can't be read to its end; the endpoint may still answer, then the connection closes.
    func failBody(_ connection: ConnectionPointer, _ error: HTTPBodyError) {
        connection.pointee.bodyEnded = true
        connection.pointee.keepsAlive = false
        connection.pointee.lingers = true
        connection.pointee.endpoint?.failBody(error)
    }

    /// The endpoint's body waits for the peer, not for the endpoint.
    func awaitsBody(_ connection: ConnectionPointer) -> Bool {
        guard let exchange = connection.pointee.endpoint else { return false }
        return !connection.pointee.bodyEnded && !connection.pointee.awaitsContinue && exchange.hasRoom
    }
}
