import CommandLineOptions
import Foundation
import MessageIDs
import TestSupport
import Testing

@testable import ackhub

/// The file that says which message a provider's name is, and the lines of any input.
@Suite(.blocking) struct MessageMapTests {
    private static func uid(_ subscription: Int64) -> String {
        SendMessageID(
            account: 1, campaign: 7, resource: 0, channel: .push, subscription: subscription, profile: ProfileID(42),
            sentAt: 1_580_611_200_000_000_000, launchedAt: 1_580_611_200_000_000_000, provider: Provider(rawValue: 1),
            isTest: false, privacy: .keepAddress
        ).text()
    }

    private static func map(_ bytes: [UInt8]) throws -> MessageMap {
        let folder = TemporaryFolder()
        try folder.write(bytes, to: "map")
        var lines = try InputLines(path: folder.file("map"), lineBytesMax: MessageMap.lineBytesMax)
        return try MessageMap(&lines)
    }

    /// Both forms, mixed; a repeat that says the same is none.
    @Test func readsBothForms() throws {
        let map = try Self.map(
            Array(
                """
                message_id,uid
                projects/p/messages/0:1%a,\(Self.uid(1))\r
                {"message_id":"projects/p/messages/0:2%a","uid":"\(Self.uid(2))","sent":true}

                0:1%a,\(Self.uid(1))
                """.utf8))
        #expect(map["0:1%a"] == Self.uid(1))
        #expect(map["projects/other/messages/0:2%a"] == Self.uid(2))
        #expect(map["0:3%a"] == nil && map[""] == nil)
    }

    /// The first line that is wrong is named, and nothing of the map is used.
    @Test(arguments: [
        ("a", "line 1 of the map"), (",", "line 1 of the map"), ("a,b", "line 1 of the map: the uid names no message"),
        ("message_id,uid\nmessage_id,uid", "line 2 of the map: the uid"), ("a,U,c", "line 1 of the map"),
        ("{\"message_id\":1,\"uid\":\"U\"}", "line 1 of the map"), ("{\"message_id\":\"a\"}", "line 1 of the map"),
        ("{\"message_id\":\"\",\"uid\":\"U\"}", "line 1 of the map"), ("{", "line 1 of the map"),
        ("a,U\na,V", "line 2 of the map gives a message_id a second uid"),
    ])
    func namesTheLineThatIsWrong(text: String, problem: String) {
        let filled = text.replacing("U", with: Self.uid(1)).replacing("V", with: Self.uid(2))
        let error = #expect(throws: CommandError.self) { try Self.map(Array(filled.utf8)) }
        #expect(error?.description.hasPrefix(problem) == true, "\(String(describing: error))")
    }

    @Test func refusesOtherBytes() {
        for bytes in [[0xFF, 0x2C] + Array(Self.uid(1).utf8), [UInt8](repeating: 0x61, count: 5_000)] {
            #expect(throws: CommandError.self) { try Self.map(bytes) }
        }
    }

    /// Lines come whole over the borders of reads, numbered with the blank ones, which are left out.
    @Test func readsLines() throws {
        let folder = TemporaryFolder()
        let long = String(repeating: "x", count: 200_000)
        try folder.write("a\n\n \t\n\(long)\n\(long.dropLast())\r\nb\n\nlast", to: "input")
        var lines = try InputLines(path: folder.file("input"), lineBytesMax: 200_000)
        var seen: [String] = []
        while let (number, line) = try lines.next() {
            guard case .text(let bytes) = line else {
                Issue.record("line \(number) is too long")
                continue
            }
            seen.append("\(number) \(bytes.count) \(String(decoding: bytes.prefix(4), as: UTF8.self))")
        }
        #expect(seen == ["1 1 a", "4 200000 xxxx", "5 199999 xxxx", "6 1 b", "8 4 last"])

        lines = try InputLines(path: folder.file("input"), lineBytesMax: 1_000)
        var tooLong: [Int] = []
        while let (number, line) = try lines.next() { if line == .tooLong { tooLong.append(number) } }
        #expect(tooLong == [4, 5])
    }

    @Test func tellsWhatItCannotRead() throws {
        let folder = TemporaryFolder()
        #expect(throws: CommandError.self) { _ = try InputLines(path: folder.file("absent"), lineBytesMax: 10) }
        var lines = try InputLines(path: folder.path, lineBytesMax: 10)
        let error = #expect(throws: CommandError.self) { _ = try lines.next() }
        #expect(error?.description.contains("Is a directory") == true)
    }
}

extension TemporaryFolder {
    func write(_ text: String, to name: String) throws { try self.write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: self.file(name)))
    }
}
