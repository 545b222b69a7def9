/// Why a request or a connection was turned away: the name for the metric, and the status for the peer.
package enum HTTPRejection: UInt8, CaseIterable, Error, Sendable {
    // Heads.
    case malformed, host, framing, version, transferCoding, expectation, requestLine, headerBytes, headerCount
    // Bodies.
    case chunk, trailerBytes, body
    // Time-outs; 0 as status means that the connection is closed without a word.
    case headerTimeout, bodyTimeout, idleTimeout, writeTimeout, handshakeTimeout
    // The rest.
    case truncated, connections, descriptors

    /// The metric's label.
    package var name: String {
        switch self {
        case .malformed: "malformed"
        case .host: "host"
        case .framing: "framing"
        case .version: "version"
        case .transferCoding: "transfer_coding"
        case .expectation: "expectation"
        case .requestLine: "request_line"
        case .headerBytes: "header_bytes"
        case .headerCount: "header_count"
        case .chunk: "chunk"
        case .trailerBytes: "trailer_bytes"
        case .body: "body"
        case .headerTimeout: "header_timeout"
        case .bodyTimeout: "body_timeout"
        case .idleTimeout: "idle_timeout"
        case .writeTimeout: "write_timeout"
        case .handshakeTimeout: "handshake_timeout"
        case .truncated: "truncated"
        case .connections: "connections"
        case .descriptors: "descriptors"
        }
    }

    /// The status that the peer is sent before the connection closes, or 0.
    package var status: Int {
        switch self {
        case .malformed, .host, .framing, .chunk: 400
        case .headerTimeout, .bodyTimeout: 408
        case .body: 413
        case .requestLine: 414
        case .expectation: 417
        case .headerBytes, .headerCount, .trailerBytes: 431
        case .transferCoding: 501
        case .connections: 503
        case .version: 505
        case .idleTimeout, .writeTimeout, .handshakeTimeout, .truncated, .descriptors: 0
        }
    }
}
