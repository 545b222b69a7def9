import Synchronization

/// One request between its loop and its endpoint's task: two bounded mailboxes under one lock.
///
/// The task puts and takes and tells the loop through its inbox; the loop puts and takes and resumes the task. Neither
/// waits for the other while it holds the lock.
final class EndpointExchange: Sendable {
    /// What a task has for the peer.
    enum Output: Sendable {
        case response(HTTPResponse)
        case start(StreamStart)
        case piece([UInt8])
        case end
        /// The task ended in the middle of a streamed body.
        case broken
    }

    private static var joinedBytesMax: Int { 16 << 10 }
    /// What a piece of a response costs beside its bytes.
    private static var pieceOverheadBytes: Int { 64 }

    enum BodyResult { case piece([UInt8]), empty, ended, failed(HTTPBodyError) }

    private enum BodyEnd { case open, ended, failed(HTTPBodyError) }
    private enum Answer { case none, started, ended }

    private struct State {
        // The request's body, towards the task.
        var pieces = Mailbox<[UInt8]>()
        var bodyBytes = 0
        var bodyEnd: BodyEnd
        var isBodyWanted = false
        var reader: CheckedContinuation<Void, Never>?
        var isTooLarge = false

        // The response, towards the loop.
        var outputs = Mailbox<Output>()
        var outputBytes = 0
        var answer = Answer.none
        var writer: CheckedContinuation<Void, Never>?

        /// The loop was told and has not looked yet.
        var isPosted = false
        var isDisconnected = false
        var task: Task<Void, Never>?
    }

    let id: HTTPExchangeID
    private let loop: HTTPLoop
    private let bytesMax: Int
    private let state: Mutex<State>

    init(id: HTTPExchangeID, loop: HTTPLoop, bytesMax: Int, hasBody: Bool) {
        self.id = id
        self.loop = loop
        self.bytesMax = bytesMax
        self.state = Mutex(State(bodyEnd: hasBody ? .open : .ended))
    }

    /// Starts the task. An endpoint that ends without an answer is given one.
    func run(_ endpoint: @escaping HTTPEndpoint, _ request: HTTPRequest) {
        let task = Task.detached {
            await endpoint(request, HTTPBody(self), HTTPResponseWriter(self))
            self.taskEnded()
        }
        self.state.withLock { if !$0.isDisconnected { $0.task = task } }
    }

    private func taskEnded() {
        let output: Output? = self.state.withLock { state in
            state.task = nil
            switch state.answer {
            case .ended: return nil
            case .started: return .broken
            case .none: return .response(Self.defaultAnswer(state))
            }
        }
        if let output { self.put(output) }
    }

    private static func defaultAnswer(_ state: borrowing State) -> HTTPResponse {
        let reason: HTTPRejection? =
            switch state.bodyEnd {
            case .failed(.timeout): .bodyTimeout
            case .failed(.malformed): .chunk
            default: state.isTooLarge ? .body : nil
            }
        return reason.flatMap(RejectionResponses.shared.response) ?? HTTPResponse(status: 500)
    }

    /// The loop must be told unless it was already: to be asked under the lock.
    private func needsPost(_ state: inout State) -> Bool {
        guard !state.isPosted, !state.isDisconnected else { return false }
        state.isPosted = true
        return true
    }
}

// MARK: - The task's side

extension EndpointExchange {
    func takeBody() -> BodyResult {
        let (result, posts) = self.state.withLock { state -> (BodyResult, Bool) in
            var posts = false
            if !state.isBodyWanted {
                state.isBodyWanted = true
                posts = self.needsPost(&state)
            }
            if let piece = state.pieces.popFirst() {
                let wasFull = state.bodyBytes >= self.bytesMax
                state.bodyBytes -= piece.count
                if wasFull, state.bodyBytes < self.bytesMax { posts = self.needsPost(&state) || posts }
                return (.piece(piece), posts)
            }
            switch state.bodyEnd {
            case .open: return (.empty, posts)
            case .ended: return (.ended, posts)
            case .failed(let error): return (.failed(error), posts)
            }
        }
        if posts { self.loop.post(self) }
        return result
    }

    /// Returns when `takeBody` has something else to say than `.empty`.
    func bodyArrives() async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if case .open = state.bodyEnd, state.pieces.isEmpty {
                    precondition(state.reader == nil, "a body has one reader")
                    state.reader = continuation
                    return false
                }
                return true
            }
            if isThere { continuation.resume() }
        }
    }

    func noteTooLarge() {
        self.state.withLock { $0.isTooLarge = true }
        self.loop.shared.countBodyTooLarge()
    }

    func notePause() { self.loop.shared.countResponsePause() }

    func put(_ output: Output) {
        let posts = self.state.withLock { state in
            switch (output, state.answer) {
            case (.response, .none), (.end, .started), (.broken, .started): state.answer = .ended
            case (.start, .none): state.answer = .started
            case (.piece, .started): break
            default: preconditionFailure("an endpoint answers once: respond, or start, write and finish")
            }
            if state.isDisconnected { return false }
            if case .piece(let bytes) = output { state.outputBytes += bytes.count + Self.pieceOverheadBytes }
            state.outputs.append(output)
            return self.needsPost(&state)
        }
        if posts { self.loop.post(self) }
    }

    var isFull: Bool { self.state.withLock { $0.outputBytes > self.bytesMax && !$0.isDisconnected } }
    var isDisconnected: Bool { self.state.withLock { $0.isDisconnected } }

    /// Returns when the response's mailbox has room, or the client is gone.
    func roomComes() async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if state.outputBytes > self.bytesMax, !state.isDisconnected {
                    precondition(state.writer == nil, "a response has one writer")
                    state.writer = continuation
                    return false
                }
                return true
            }
            if isThere { continuation.resume() }
        }
    }
}

// MARK: - The loop's side

extension EndpointExchange {
    /// The loop looks now: what comes from here on has to be told again.
    func beginTaking() { self.state.withLock { $0.isPosted = false } }

    var isBodyWanted: Bool { self.state.withLock { $0.isBodyWanted } }
    var hasRoom: Bool { self.state.withLock { $0.bodyBytes < self.bytesMax } }

    /// False when the mailbox is full now. Small pieces are joined, so that a body in tiny chunks does not cost a
    /// multiple of its bytes.
    func deliver(_ piece: [UInt8]) -> Bool {
        let (reader, hasRoom) = self.state.withLock { state in
            let isJoined = state.pieces.updateLast { last in
                guard last.count + piece.count <= Self.joinedBytesMax else { return false }
                last += piece
                return true
            }
            if !isJoined { state.pieces.append(piece) }
            state.bodyBytes += piece.count
            return (state.reader.take(), state.bodyBytes < self.bytesMax)
        }
        reader?.resume()
        return hasRoom
    }

    func endBody() { self.endBody(.ended) }

    /// What was delivered before can still be read, then the error comes.
    func failBody(_ error: HTTPBodyError) { self.endBody(.failed(error)) }

    private func endBody(_ end: BodyEnd) {
        let reader = self.state.withLock { state in
            if case .open = state.bodyEnd { state.bodyEnd = end }
            return state.reader.take()
        }
        reader?.resume()
    }

    func takeOutput() -> Output? {
        let (output, writer) = self.state.withLock { state -> (Output?, CheckedContinuation<Void, Never>?) in
            guard let output = state.outputs.popFirst() else { return (nil, nil) }
            if case .piece(let bytes) = output { state.outputBytes -= bytes.count + Self.pieceOverheadBytes }
            return (output, state.outputBytes <= self.bytesMax ? state.writer.take() : nil)
        }
        writer?.resume()
        return output
    }

    /// The exchange is over for the loop: the answer was taken, or the client went away. Whoever waits is let go; a task
    /// that still works without having answered is cancelled.
    func disconnect() {
        let (task, reader, writer) = self.state.withLock { state in
            state.isDisconnected = true
            if case .open = state.bodyEnd { state.bodyEnd = .failed(.disconnected) }
            state.pieces.removeAll()
            state.bodyBytes = 0
            state.outputs.removeAll()
            state.outputBytes = 0
            let task = state.answer == .ended ? nil : state.task
            return (task, state.reader.take(), state.writer.take())
        }
        reader?.resume()
        writer?.resume()
        task?.cancel()
    }
}
