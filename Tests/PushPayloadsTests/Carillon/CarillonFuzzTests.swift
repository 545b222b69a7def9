import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import PushPayloads

/// Random messages are refused, or come back from a parser as what the document says of them.
///
/// `ACKHUB_FUZZ_MESSAGES` is how many there are for both platforms together; a failure names the seed of its case.
@Suite struct CarillonFuzzTests {
    private static let count = FuzzCount.each(of: CarillonFieldTests.platforms)

    @Test(arguments: CarillonFieldTests.platforms) func whatComesOutIsWhatWentIn(_ platform: String) throws {
        var rendered = 0
        var tooLarge = 0
        for seed in 0..<UInt64(Self.count) {
            var fuzzer = CarillonFuzzer(seed: seed)
            let fuzzed = fuzzer.next()
            var request = Rendered.Request(platform, Self.json(fuzzed.message))
            request.locale = fuzzed.locale
            request.isDocumented = fuzzed.isDocumented
            request.hasAkUID = fuzzed.hasAkUID
            do {
                let expectation = CarillonExpectation(fuzzed, platform: platform)
                try expectation.check(try Rendered(request))
                try #require(!fuzzed.isFaulty, "seed \(seed): a fault was accepted")
                rendered += 1
            } catch let refused as Refused {
                let isTooLarge = refused.faults.allSatisfy { $0.hasSuffix(" payload_too_large") }
                try #require(fuzzed.isFaulty || isTooLarge, "seed \(seed): \(refused)")
                if !fuzzed.isFaulty { tooLarge += 1 }
            } catch let wrong as CarillonExpectation.Wrong {
                Issue.record("seed \(seed): \(wrong.detail)")
                return
            }
        }
        #expect(rendered > Self.count / 2)
        #expect(tooLarge > Self.count / 500)
        #expect(rendered + tooLarge < Self.count * 9 / 10)
    }

    /// JSON by a writer that shares nothing with the one that is tested.
    private static func json(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let items): "[" + items.map(Self.json).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ": " + Self.json($0.value) }.joined(separator: ", ") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case ..<0x20: quoted.append(contentsOf: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted.append(contentsOf: [UInt8(ascii: "\\"), byte])
            default: quoted.append(byte)
            }
        }
        return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
    }
}
