import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct LaunchIDTests {
    /// The public example.
    @Test func readsThePublicExample() throws {
        let launch = try LaunchID(text: "2_4S_4HFn8RDhhmA")
        #expect(launch == LaunchID(account: 1, campaign: 224, launchedAt: 1_601_987_755_942_397_338))
        #expect(UnixTime.text(nanoseconds: launch.launchedAt) == "2020-10-06T12:35:55.942397338Z")
        #expect(launch.text == "2_4S_4HFn8RDhhmA")
    }

    /// Random launches read back; the longest has the stated length.
    @Test func roundTripsRandomValues() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<2000 {
            let launch = random.message().launch
            #expect(try LaunchID(text: launch.text) == launch)
            #expect(launch.text.utf8.count <= LaunchID.textBytesMax)
        }
        let largest = LaunchID(account: .max, campaign: .max, launchedAt: .max)
        #expect(try LaunchID(text: largest.text) == largest)
        #expect(largest.text.utf8.count == LaunchID.textBytesMax)
    }

    /// A launch has no checksum, but a changed character never reads as the same launch.
    @Test func noOtherTextReadsAsTheSameLaunch() throws {
        let text = Array("2_4S_4HFn8RDhhmA".utf8)
        let launch = try LaunchID(text: "2_4S_4HFn8RDhhmA")
        for index in text.indices {
            for byte in UInt8.min ... .max where byte != text[index] {
                var changed = text
                changed[index] = byte
                let read = try? LaunchID(text: String(decoding: changed, as: UTF8.self))
                if read == launch { Issue.record("\(byte) at \(index)") }
            }
        }
    }

    /// Each fault has its code.
    @Test(arguments: [
        ("", MessageIDError.Code.truncated), ("2", .truncated), ("2_4S", .truncated), ("2_4S_", .truncated),
        ("_4S_4HFn8RDhhmA", .truncated), ("2__4HFn8RDhhmA", .truncated), ("2_4S_4HFn8RDhhmA_", .trailingBytes),
        ("2_4S_4HFn8RDhhmA_2", .trailingBytes), ("2_4S_4HFn8RDhhmA ", .alphabet), ("2_4S_0", .alphabet),
        ("12_4S_4HFn8RDhhmA", .nonMinimal), ("2_14S_4HFn8RDhhmA", .nonMinimal), ("2_4S_14HFn8RDhhm", .nonMinimal),
        ("1_4S_4HFn8RDhhmA", .outOfRange), ("npL6MjP8Qfd_4S_4HFn8RDhhmA", .outOfRange),
        ("2_npL6MjP8Qfd_4HFn8RDhhmA", .outOfRange), ("2_4S_JPwcyDCgEuq", .outOfRange),
        (String(repeating: "2", count: 100_000), .trailingBytes),
    ])
    func refusesWithTheRightCode(_ text: String, _ code: MessageIDError.Code) {
        #expect(errorCode { () throws(MessageIDError) in try LaunchID(text: text) } == code)
    }
}
