import Glibc

/// One connection of the simulated devices: one request at a time. Owned by the player's thread.
final class DeviceConnection {
    enum State { case closed, connecting, idle, sending, awaiting }

    private(set) var state = State.closed
    private(set) var job: DeviceJob?
    /// When its answer is given up, monotonic nanoseconds.
    private(set) var deadline: UInt64 = 0
    private var socket: ClientSocket?
    private var parser = HTTPAnswerParser()
    private var rest: ArraySlice<UInt8> = []
    private var sentAny = false
    /// How many requests it takes before the device goes away and another comes.
    private var requestsLeft = 0

    /// What became of a job.
    enum Outcome {
        case answered(HTTPAnswer)
        /// Closed by plan, unread.
        case abandoned
        /// No answer will come. `mayCount` is false where the hub can't have read the request.
        case failed(String, mayCount: Bool)
    }

    var isBusy: Bool { self.job != nil }

    /// Nil when there is nothing to wait for.
    var pollEntry: pollfd? {
        let events: Int32
        switch self.state {
        case .closed: return nil
        case .connecting, .sending: events = POLLOUT | POLLIN
        case .idle, .awaiting: events = POLLIN
        }
        return pollfd(fd: self.descriptor, events: Int16(events), revents: 0)
    }

    private var descriptor: Int32 { self.socket?.descriptor ?? -1 }

    /// Takes a job while idle or closed; nil when its outcome comes later.
    func start(
        _ job: DeviceJob, target: ResolvedAddress, deadline: UInt64, requestsMax: Int
    ) -> Outcome? {
        self.job = job
        self.deadline = deadline
        self.rest = job.bytes[...]
        self.sentAny = false
        if self.state == .idle {
            self.state = .sending
            return self.advance(readable: false)
        }
        do throws(ClientSocketError) {
            self.socket = try ClientSocket(connectingTo: target)
            self.requestsLeft = requestsMax
            self.state = .connecting
            return nil
        } catch {
            return self.fail("cannot connect: \(error)", mayCount: false)
        }
    }

    /// Goes on after poll; nil while more must come.
    func advance(readable: Bool) -> Outcome? {
        switch self.state {
        case .closed: return nil
        case .connecting:
            let code = self.socket!.connectError()
            guard code == 0 else {
                return self.fail("cannot connect: \(String(cString: strerror(code)))", mayCount: false)
            }
            self.state = .sending
            return self.sendRest()
        case .sending: return self.sendRest()
        case .awaiting: return self.receive()
        case .idle:
            // Only an end can come between requests: the hub closed an idle connection.
            if readable { self.close() }
            return nil
        }
    }

    /// Gives the job up.
    func timeOut() -> Outcome { self.fail("no answer in time", mayCount: self.sentAny) }

    func close() {
        self.socket = nil
        self.parser = HTTPAnswerParser()
        self.state = .closed
    }

    private func sendRest() -> Outcome? {
        while !self.rest.isEmpty {
            switch self.socket!.send(self.rest) {
            case .bytes(let count):
                self.rest = self.rest.dropFirst(count)
                self.sentAny = true
            case .wouldBlock: return nil
            case .end: return self.fail("closed", mayCount: self.sentAny)
            case .failed(let code): return self.fail(String(cString: strerror(code)), mayCount: self.sentAny)
            }
        }
        if self.job!.hit.answer == .abandoned {
            self.job = nil
            self.close()
            return .abandoned
        }
        self.state = .awaiting
        return nil
    }

    private func receive() -> Outcome? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let outcome = self.socket!.receive(into: &buffer)
        switch outcome {
        case .bytes(let count): self.parser.append(buffer[..<count])
        case .wouldBlock: return nil
        case .failed(let code): return self.fail(String(cString: strerror(code)), mayCount: true)
        case .end: break
        }
        do throws(HTTPAnswerFault) {
            guard let answer = try self.parser.next(isHead: self.job!.hit.request == .head, isEnd: outcome == .end)
            else {
                return outcome == .end ? self.fail("closed without an answer", mayCount: true) : nil
            }
            self.requestsLeft -= 1
            // A lost answer means a broken connection too.
            let isLast = self.requestsLeft <= 0 || self.job!.hit.answer == .lost
            if !answer.keepsAlive || isLast || self.parser.isInside { self.close() } else { self.state = .idle }
            self.job = nil
            return .answered(answer)
        } catch {
            return self.fail("\(error)", mayCount: true)
        }
    }

    private func fail(_ reason: String, mayCount: Bool) -> Outcome {
        self.job = nil
        self.close()
        return .failed(reason, mayCount: mayCount)
    }
}

/// A hit on its way.
struct DeviceJob {
    var hit: PlannedHit
    var bytes: [UInt8]
    /// How often it was tried and failed before.
    var failures: Int
}
