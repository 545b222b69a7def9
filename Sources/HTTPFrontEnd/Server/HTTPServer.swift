import Glibc
import Synchronization

/// An HTTP/1.1 server: one event loop a thread, each with its own listening sockets, sharing nothing on a request's way.
package final class HTTPServer: Sendable {
    private struct Threads {
        var running: [pthread_t] = []
        var isStarted = false
    }

    /// The bound addresses, with real ports.
    package let addresses: [SocketAddress]

    private let configuration: HTTPServerConfiguration
    private let log: @Sendable (String) -> Void
    private let makeHandler: @Sendable (HTTPLoop) -> any HTTPLoopHandler
    private let shared: ServerShared
    private let loops: [HTTPLoop]
    private let threads = Mutex(Threads())

    /// Binds. `makeHandler` is called once a loop, on that loop's thread.
    package init(
        _ configuration: HTTPServerConfiguration, log: @escaping @Sendable (String) -> Void,
        makeHandler: @escaping @Sendable (HTTPLoop) -> any HTTPLoopHandler
    ) throws(HTTPServerError) {
        guard configuration.loopCount > 0 else {
            throw HTTPServerError(code: .configuration, detail: "a server needs a loop")
        }
        self.configuration = configuration
        self.log = log
        self.makeHandler = makeHandler
        self.shared = ServerShared(tls: try Self.readTLS(configuration))
        let listeners = try Self.bind(configuration)
        self.addresses = listeners.map(\.address)
        var loops: [HTTPLoop] = []
        for index in 0..<configuration.loopCount {
            loops.append(
                try HTTPLoop(
                    index: index, limits: configuration.limits, shared: self.shared,
                    listeners: listeners.map { $0.descriptors[index] }))
        }
        self.loops = loops
    }

    deinit { self.stop(withinSeconds: 0) }

    /// Starts the loops' threads; once.
    package func start() {
        self.threads.withLock { threads in
            precondition(!threads.isStarted, "a server starts once")
            threads.isStarted = true
            for loop in self.loops {
                let makeHandler = self.makeHandler
                threads.running.append(LoopThread.start(name: "http-\(loop.index)") { loop.run(makeHandler) })
            }
        }
    }

    /// Closes the listeners; connections go on, each closes after its present request, idle ones at once.
    package func stopAccepting() {
        self.shared.drain()
        self.wakeLoops()
    }

    /// Waits until no exchange is in flight, at most so long; then closes what is left and joins the loops.
    ///
    /// Blocks: not for a task's thread, nor for a loop's.
    package func stop(withinSeconds: Double) {
        let milliseconds = UInt64(max(0, min(withinSeconds, 1e9)) * 1_000)
        self.shared.stop(at: LoopClock.monotonicMilliseconds() + milliseconds)
        self.wakeLoops()
        let running = self.threads.withLock { threads in
            defer { threads.running = [] }
            return threads.running
        }
        for thread in running { pthread_join(thread, nil) }
    }

    /// Reads the certificate again (SIGHUP); keeps the old one when the new one is bad. Open connections keep theirs.
    package func reloadTLS() throws(HTTPServerError) {
        guard let context = try Self.readTLS(self.configuration) else { return }
        self.shared.replaceTLS(context)
        self.log("TLS certificate read again")
    }

    package var metrics: HTTPServerMetrics {
        var metrics = HTTPServerMetrics()
        for loop in self.loops { loop.counters.add(to: &metrics) }
        self.shared.add(to: &metrics)
        return metrics
    }

    private func wakeLoops() {
        for loop in self.loops { loop.wakeSignal.call(.inbox) }
    }

    private static func readTLS(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) -> TLSContext? {
        switch (configuration.tlsCertificateFile, configuration.tlsKeyFile) {
        case (nil, nil): return nil
        case (let certificateFile?, let keyFile?):
            return try TLSContext(certificateFile: certificateFile, keyFile: keyFile)
        default:
            throw HTTPServerError(code: .configuration, detail: "TLS needs both a certificate and a key")
        }
    }

    private static func bind(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) -> [Listener] {
        var listeners: [Listener] = []
        do throws(HTTPServerError) {
            for address in configuration.listen {
                let hasOwnV4 = configuration.listen.contains {
                    $0.length == 4 && $0.port == address.port && $0.port != 0
                }
                listeners.append(
                    try Listener(address, count: configuration.loopCount, sharesV4: address.isAnyV6 && !hasOwnV4))
            }
        } catch {
            for listener in listeners { for descriptor in listener.descriptors { close(descriptor) } }
            throw error
        }
        return listeners
    }
}
