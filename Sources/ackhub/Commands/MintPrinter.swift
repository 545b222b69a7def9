import CommandLineOptions
import HubLinks
import MessageIDs
import StrictJSON

/// Prints minted messages, gathered into large writes.
struct MintPrinter {
    enum Form { case text, json, paths }

    private let minter: LinkMinter
    private let form: Form
    private var pending: [UInt8] = []
    private static let pendingBytesMax = 65_536

    init(minter: LinkMinter, form: Form) {
        self.minter = minter
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
        let links = self.minter.mint(message)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("uid")
        writer.string(message.text())
        writer.key("launch_id")
        writer.string(message.launch.text)
        writer.key("hub_link")
        writer.beginObject()
        writer.key("ack")
        writer.string(links.ack)
        writer.key("open")
        writer.string(links.open)
        writer.endObject()
        writer.key("link_bytes")
        writer.number(Int64(self.minter.linkBytes(message)))
        writer.endObject()
        self.pending += writer.bytes
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
