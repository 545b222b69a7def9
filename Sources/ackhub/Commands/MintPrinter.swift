import CommandLineOptions
import HubLinks
import HubServer
import MessageIDs

/// Prints minted messages, gathered into large writes.
struct MintPrinter {
    enum Form { case text, json, paths }

    private let minter: LinkMinter
    private let links: LinkWriter
    private let form: Form
    private var pending: [UInt8] = []
    private static let pendingBytesMax = 65_536

    init(minter: LinkMinter, form: Form) {
        self.minter = minter
        self.links = LinkWriter(minter)
        self.form = form
    }

    mutating func print(_ message: SendMessageID) throws {
        switch self.form {
        case .text: self.appendText(message)
        case .json: self.appendJSON(message)
        case .paths: self.appendPaths(message)
        }
        if self.pending.count >= Self.pendingBytesMax { try self.finish() }
    }

    mutating func finish() throws {
        try Output.bytes(self.pending)
        self.pending.removeAll(keepingCapacity: true)
    }

    private mutating func appendText(_ message: SendMessageID) {
        let links = self.minter.mint(message)
        let lines = """
            uid         \(message.text())
            launch      \(message.launch.text)
            ack         \(links.ack)
            open        \(links.open)
            link bytes  \(self.minter.linkBytes(message))

            """
        self.pending += lines.utf8
    }

    private mutating func appendJSON(_ message: SendMessageID) {
        self.links.append(message, to: &self.pending)
        self.pending.append(UInt8(ascii: "\n"))
    }

    private mutating func appendPaths(_ message: SendMessageID) {
        let links = self.minter.mint(message)
        self.pending += HubAddress.path(of: links.ack).utf8
        self.pending.append(UInt8(ascii: "\n"))
        self.pending += HubAddress.path(of: links.open).utf8
        self.pending.append(UInt8(ascii: "\n"))
    }
}
