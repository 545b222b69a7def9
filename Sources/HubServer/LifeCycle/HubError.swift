/// Why a hub does not start.
package struct HubError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package var name: String
        package static let keys = Code(name: "keys")
        package static let spool = Code(name: "spool")
        package static let schema = Code(name: "schema")
        package static let listen = Code(name: "listen")
        package static let thread = Code(name: "thread")
    }
    package var code: Code
    package var detail: String
    package var underlying: (any Error)?
    package var description: String { self.detail }
}
