/// A response made once and sent many times: status, fields and body. The front end adds Date, Connection and
/// Content-Length (none for 204 and 304), and leaves the body out for HEAD.
///
/// Field names and values come from the program, never from a peer: a control character in one is a programming error.
package struct HTTPResponse: Sendable {
    /// The bytes as they go out, in parts around Date and Connection. One reference, so that a copy is one retain.
    final class Bytes: Sendable {
        let status: Int
        let closes: Bool
        /// Status line and fields, up to and with `Date: `.
        let head: [UInt8]
        let body: [UInt8]

        init(status: Int, closes: Bool, head: [UInt8], body: [UInt8]) {
            self.status = status
            self.closes = closes
            self.head = head
            self.body = body
        }
    }

    let bytes: Bytes

    package var status: Int { self.bytes.status }

    /// - Parameters:
    ///   - status: 200–599.
    ///   - closes: the connection ends after this response.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closes: Bool = false) {
        precondition((200...599).contains(status), "a response's status is 200–599")
        let hasNoBody = HTTPStatus.hasNoBody(status)
        var head = ResponseHead.start(status: status, headers: headers)
        if !hasNoBody { head += "Content-Length: \(body.count)\r\n".utf8 }
        head += "Date: ".utf8
        self.bytes = Bytes(status: status, closes: closes, head: head, body: hasNoBody ? [] : body)
    }
}
