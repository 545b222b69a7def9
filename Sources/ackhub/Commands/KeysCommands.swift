import CommandLineOptions
import Glibc
import HubLinks
import HubServer
import MessageIDs
import StrictJSON

extension Command {
    /// `ackhub keys new`: makes the key ring file.
    static let keysNew = Command(
        name: "keys new",
        summary: "make a key ring file with one active key",
        discussion: """
            Writes 64 random bytes as key 1 into a new file that only its owner can read (mode 0600). An existing file
            is never replaced: links that its keys made would be lost. Every hub of a deployment shares the file.
            """,
        options: [.json],
        requiredSettings: ["keys-file"],
        run: { invocation in
            let ring = KeyRing(createdAt: Int64(time(nil)))
            try ring.write(to: invocation.configuration.keysFile, replacing: false)
            return try print(ring, for: invocation)
        }
    )

    /// `ackhub keys rotate`: a fresh active key.
    static let keysRotate = Command(
        name: "keys rotate",
        summary: "add a fresh active key; the one before still opens links",
        discussion: """
            The new key mints from each hub's next reload on. First copy the file to every hub, then send each a
            SIGHUP: a hub that does not know the new key answers 404 to its links.
            """,
        options: [.json],
        requiredSettings: ["keys-file"],
        run: { invocation in
            let ring = try KeyRing.change(fileAt: invocation.configuration.keysFile) { ring throws(KeyRingError) in
                try ring.rotate(createdAt: Int64(time(nil)))
            }
            return try print(ring, for: invocation)
        }
    )

    /// `ackhub keys retire ID`: refuses a key's links from now on.
    static let keysRetire = Command(
        name: "keys retire",
        summary: "refuse the links of an old key from now on",
        discussion:
            "Links that the key made answer 404 from each hub's next SIGHUP on. The active key can't be retired.",
        operand: Operand(placeholder: "ID", help: "the key's id, see 'ackhub keys list'"),
        options: [.json],
        requiredSettings: ["keys-file"],
        run: { invocation in
            let id = try invocation.operand(.keyID)
            let ring = try KeyRing.change(fileAt: invocation.configuration.keysFile) { ring throws(KeyRingError) in
                try ring.retire(id: id)
            }
            return try print(ring, for: invocation)
        }
    )

    /// `ackhub keys list`: ids, states and ages.
    static let keysList = Command(
        name: "keys list",
        summary: "list the keys' ids, states and creation times",
        discussion: "Never prints a key. States: active (mints), accepted (still opens), retired (refused).",
        options: [.json],
        requiredSettings: ["keys-file"],
        run: { try print(try KeyRing(contentsOf: $0.configuration.keysFile), for: $0) }
    )

    private static func print(_ ring: KeyRing, for invocation: Invocation) throws -> ExitStatus {
        if invocation.arguments[.json] {
            try Output.json { writer in
                writer.beginArray()
                for entry in ring.entries {
                    writer.beginObject()
                    writer.key("id")
                    writer.number(Int64(entry.id))
                    writer.key("state")
                    writer.string(entry.state.rawValue)
                    writer.key("created_at")
                    writer.string(entry.createdAtText)
                    writer.endObject()
                }
                writer.endArray()
            }
        } else {
            var table = TextTable(header: ["key", "state", "created"])
            for entry in ring.entries { table.row([String(entry.id), entry.state.rawValue, entry.createdAtText]) }
            try Output.line(table.text)
        }
        return .success
    }
}

extension KeyRing.Entry {
    /// RFC 3339.
    var createdAtText: String { UnixTime.text(nanoseconds: UInt64(max(0, self.createdAt)) * 1_000_000_000) }
}
