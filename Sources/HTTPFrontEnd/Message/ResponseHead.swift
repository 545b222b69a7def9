/// The parts of a response's head.
enum ResponseHead {
    /// How a response's head says what becomes of the connection; behind the date, the end of the head with it.
    enum Ending {
        /// 1.1, staying: nothing to say.
        case stays
        /// 1.0, staying: has to be said (RFC 9112 9.3).
        case keepsAlive
        case closes

        var text: StaticString {
            switch self {
            case .stays: "\r\n\r\n"
            case .keepsAlive: "\r\nConnection: keep-alive\r\n\r\n"
            case .closes: "\r\nConnection: close\r\n\r\n"
            }
        }
    }

    static var continueText: StaticString { "HTTP/1.1 100 Continue\r\n\r\n" }

    /// Status line and these fields.
    static func start(status: Int, headers: [(name: String, value: String)]) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(160)
        head += "HTTP/1.1 \(status) \(HTTPStatus.reason(status))\r\n".utf8
        for (name, value) in headers {
            precondition(!name.isEmpty && name.utf8.allSatisfy(ByteClass.token.contains), "a field's name is a token")
            precondition(
                value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }, "a field's value is one line")
            head += name.utf8
            head += ": ".utf8
            head += value.utf8
            head += "\r\n".utf8
        }
        return head
    }
}
