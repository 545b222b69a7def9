package import HubLinks
package import MessageIDs

/// Writes minted messages as the API answers them: the same bytes over HTTP and from the command line. One a thread, as its
/// minter.
package final class LinkWriter {
    let minter: LinkMinter
    private var launch: (id: LaunchID, text: [UInt8])?

    package init(_ minter: LinkMinter) { self.minter = minter }

    /// Appends `{"uid":…,"launch_id":…,"hub_link":{"ack":…,"open":…},"link_bytes":…}`. Ids are base58 and the URLs come
    /// from a checked configuration, so nothing needs escaping.
    package func append(_ message: SendMessageID, to bytes: inout [UInt8]) {
        bytes.append("{\"uid\":\"")
        bytes.append(contentsOf: message.text(.full).utf8)
        bytes.append("\",\"launch_id\":\"")
        self.appendLaunchID(message.launch, to: &bytes)
        bytes.append("\",\"hub_link\":{\"ack\":\"")
        var start = bytes.count
        self.minter.append(.ack, message, to: &bytes)
        var linkBytes = bytes.count - start
        bytes.append("\",\"open\":\"")
        start = bytes.count
        self.minter.append(.open, message, to: &bytes)
        linkBytes += bytes.count - start
        bytes.append("\"},\"link_bytes\":")
        bytes.append(contentsOf: String(linkBytes).utf8)
        bytes.append(UInt8(ascii: "}"))
    }

    /// The launch's text is kept: nearly all messages of a request are of one launch.
    func appendLaunchID(_ launch: LaunchID, to bytes: inout [UInt8]) {
        if let known = self.launch, known.id == launch {
            bytes.append(contentsOf: known.text)
            return
        }
        let text = Array(launch.text.utf8)
        bytes.append(contentsOf: text)
        self.launch = (launch, text)
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        self.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
