/// What one client may cost. Reaching a limit is answered where an answer is possible, and metered by name.
package struct HTTPLimits: Sendable {
    /// Bytes of the request line without its CRLF; beyond it 414, `request_line`.
    package var requestLineBytesMax = 8_192
    /// Bytes of all field lines with their CRLFs; beyond it 431, `header_bytes`.
    package var headerBytesMax = 32_768
    /// Field lines; beyond it 431, `header_count`.
    package var headerCountMax = 100
    /// Bytes of a trailer section; beyond it 431, `trailer_bytes`.
    package var trailerBytesMax = 4_096
    /// Bytes of a body that the loop reads and drops; beyond it 413, `body`. An endpoint limits its own: `HTTPBody.collect`.
    package var bodyBytesMax = 8 << 20
    /// Open connections of the whole server; one more is answered 503 and closed, `connections`.
    package var connectionsMax = 100_000
    /// How long a connection may wait between requests, then it is closed without a word, `idle_timeout`.
    package var idleTimeoutMilliseconds = 75_000
    /// How long a head may take from its first byte (and a new connection until it), then 408, `header_timeout`.
    package var headerTimeoutMilliseconds = 10_000
    /// How long `bodyProgressBytesMin` bytes of body (or the rest of it) may take, then 408, `body_timeout`.
    package var bodyTimeoutMilliseconds = 30_000
    /// The progress that renews the body time-out: a body that drips slower is cut.
    package var bodyProgressBytesMin = 1_024
    /// How long the peer may take nothing of a response that waits, then the connection is closed, `write_timeout`.
    package var writeTimeoutMilliseconds = 30_000
    /// How long a TLS handshake may take, then the connection is closed, `handshake_timeout`.
    package var handshakeTimeoutMilliseconds = 10_000
    /// How long a closing connection still reads, so that its last response is not lost to a reset (RFC 9112 9.6).
    package var lingerTimeoutMilliseconds = 2_000
    /// Bytes that it reads at most meanwhile.
    package var lingerBytesMax = 16 << 20
    /// While draining, how long a connection that has not sent a request yet may still send one.
    package var drainGraceMilliseconds = 1_000
    /// Requests of one connection, 0 = any number; the last one's answer says `Connection: close`.
    package var requestsPerConnectionMax = 0
    /// Bytes of a request body, and of a response body, that wait between a loop and an endpoint; then the sender of
    /// either waits, `request_mailbox` and `response_mailbox` among the metrics' pauses.
    package var mailboxBytesMax = 256 << 10
    /// Bytes of an unread body that are dropped to save the connection.
    package var unreadBodyBytesMax = 256 << 10

    package init() {}
}

extension HTTPLimits {
    /// `idleTimeoutMilliseconds` in whole seconds.
    package var idleTimeoutSeconds: Int {
        get { self.idleTimeoutMilliseconds / 1_000 }
        set { self.idleTimeoutMilliseconds = newValue * 1_000 }
    }

    /// `headerTimeoutMilliseconds` in whole seconds.
    package var headerTimeoutSeconds: Int {
        get { self.headerTimeoutMilliseconds / 1_000 }
        set { self.headerTimeoutMilliseconds = newValue * 1_000 }
    }

    /// `bodyTimeoutMilliseconds` in whole seconds.
    package var bodyTimeoutSeconds: Int {
        get { self.bodyTimeoutMilliseconds / 1_000 }
        set { self.bodyTimeoutMilliseconds = newValue * 1_000 }
    }

    /// `writeTimeoutMilliseconds` in whole seconds.
    package var writeTimeoutSeconds: Int {
        get { self.writeTimeoutMilliseconds / 1_000 }
        set { self.writeTimeoutMilliseconds = newValue * 1_000 }
    }
}
