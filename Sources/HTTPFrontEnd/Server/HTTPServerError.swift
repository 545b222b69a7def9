/// Why a server can't start or can't take a new certificate.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package var name: String

        /// The configuration contradicts itself.
        package static let configuration = Code(name: "configuration")
        /// An address can't be bound: in use, not of this machine, not permitted.
        package static let bind = Code(name: "bind")
        /// A certificate or key can't be used.
        package static let tls = Code(name: "tls")
        /// The kernel refused an event queue or a thread.
        package static let system = Code(name: "system")
    }

    package var code: Code
    /// One sentence for the operator; names addresses and files, holds no secret.
    package var detail: String

    package var description: String { self.detail }
}
