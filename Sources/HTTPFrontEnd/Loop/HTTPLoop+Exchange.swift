extension HTTPLoop {
    /// On the loop's thread only: answers an exchange whose handler said `.later`. Ignored when its client is gone.
    ///
    /// The response goes out at once, unless the request's body is still coming in.
    package func complete(_ exchange: HTTPExchangeID, _ response: borrowing HTTPResponse) {
        guard let connection = self.slab[exchange.slot], connection.pointee.sequence == exchange.sequence,
            connection.pointee.phase == .waiting, connection.pointee.response == nil
        else { return }
        if connection.pointee.isAdvancing || !connection.pointee.bodyEnded {
            connection.pointee.response = copy response
            return
        }
        self.respond(connection, response)
        if connection.pointee.phase == .closing {
            self.advance(connection)
            return
        }
        // More requests may be here already. They are not taken now: the handler is not to be called from its own call.
        if !connection.pointee.input.isEmpty || connection.pointee.isReadable { self.enqueue(connection) }
        self.settle(connection)
    }

    /// A whole head is in the input: parses it, asks the handler, begins what that says.
    func dispatch(_ connection: ConnectionPointer) {
        let head = self.head
        let scanner = connection.pointee.scanner
        let bytes = UnsafeRawBufferPointer(
            rebasing: connection.pointee.input.bytes[Int(scanner.headStart)..<Int(scanner.offset)])
        if let reason = head.pointee.parse(bytes.bytes) {
            self.reject(connection, reason)
            return
        }
        guard let handler else { preconditionFailure("a running loop has a handler") }
        self.counters.requests.add()
        connection.pointee.requests &+= 1
        connection.pointee.sequence &+= 1
        connection.pointee.phase = .waiting
        connection.pointee.timeout = .none
        connection.pointee.isHead = head.pointee.method == .head
        connection.pointee.isVersion10 = head.pointee.minorVersion == 0
        connection.pointee.keepsAlive = head.pointee.keepAlive && !self.isLastRequest(connection)
        connection.pointee.awaitsContinue = head.pointee.expectsContinue
        connection.pointee.bodyEnded = head.pointee.framing == .none
        if head.pointee.framing != .none {
            connection.pointee.body = BodyDecoder(head.pointee.framing)
            connection.pointee.droppedBytes = 0
            connection.pointee.bodyProgress = 0
        }
        let reply = handler.receive(
            head.pointee, bytes.bytes, peer: connection.pointee.peer, exchange: connection.pointee.exchange)
        switch reply {
        case .now(let response):
            connection.pointee.input.take(Int(scanner.offset))
            self.beginAnswered(connection, response)
        case .later:
            connection.pointee.input.take(Int(scanner.offset))
            self.beginWaiting(connection)
        case .endpoint(let endpoint):
            let request = HTTPRequest(head.pointee, bytes.bytes, peer: connection.pointee.peer)
            connection.pointee.input.take(Int(scanner.offset))
            self.begin(endpoint, request, connection)
        }
    }

    private func isLastRequest(_ connection: ConnectionPointer) -> Bool {
        self.isDraining
            || self.limits.requestsPerConnectionMax > 0
                && Int(connection.pointee.requests) >= self.limits.requestsPerConnectionMax
    }

    private func beginAnswered(_ connection: ConnectionPointer, _ response: HTTPResponse) {
        if connection.pointee.bodyEnded {
            self.respond(connection, response)
        } else if connection.pointee.awaitsContinue {
            // A final answer in place of 100: whether the body still comes nobody knows (RFC 9110 10.1.1).
            connection.pointee.keepsAlive = false
            self.respond(connection, response, lingers: true)
        } else {
            connection.pointee.response = response
            self.beginWaiting(connection)
        }
    }

    private func beginWaiting(_ connection: ConnectionPointer) {
        if let remaining = connection.pointee.body.remainingBytes, remaining > self.limits.bodyBytesMax {
            self.reject(connection, .body)
        } else if connection.pointee.awaitsContinue {
            self.sendContinue(connection)
        }
    }

    func sendContinue(_ connection: ConnectionPointer) {
        connection.pointee.awaitsContinue = false
        self.withOutput(connection) { $0.append(ResponseHead.continueText) }
    }

    /// Writes the answer of the present exchange and ends it.
    func respond(_ connection: ConnectionPointer, _ response: borrowing HTTPResponse, lingers: Bool = false) {
        let keepsAlive = connection.pointee.keepsAlive && !response.bytes.closes && !self.isDraining
        self.append(response, to: connection, keepsAlive: keepsAlive)
        self.endExchange(connection, keepsAlive: keepsAlive, lingers: lingers)
    }

    /// The exchange is over: the next request, or the end.
    func endExchange(_ connection: ConnectionPointer, keepsAlive: Bool, lingers: Bool = false) {
        if connection.pointee.response != nil { connection.pointee.response = nil }
        connection.pointee.timeout = .none
        connection.pointee.bodyEnded = true
        connection.pointee.body = .none
        connection.pointee.isHead = false
        connection.pointee.scanner = HeadScanner()
        // A stream may have begun before draining did, and could not say so.
        connection.pointee.phase = keepsAlive && !self.isDraining ? .head : .closing
        if lingers { connection.pointee.lingers = true }
    }

    /// Turns the present request away: an answer where its reason has one, and the end of the connection.
    func reject(_ connection: ConnectionPointer, _ reason: HTTPRejection) {
        self.counters.countRejection(reason)
        self.answerRejection(connection, reason)
    }

    func answerRejection(_ connection: ConnectionPointer, _ reason: HTTPRejection) {
        // A completion that still comes for this request is stale from now on.
        connection.pointee.sequence &+= 1
        if let response = RejectionResponses.shared.response(for: reason) {
            self.append(response, to: connection, keepsAlive: false)
        }
        self.endExchange(connection, keepsAlive: false, lingers: true)
    }
}
