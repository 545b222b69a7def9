import MessageIDs
import TestSupport
import Testing

/// Random and half-valid input into every reader: no crash, and what reads is written back as it came.
@Suite(.blocking)
struct HostileInputTests {
    @Test func randomBytesNeverCrashTheBodyReader() {
        var random = SeededRandom(seed: 17)
        for _ in 0..<20_000 {
            let bytes = random.bytes(0...100)
            if let message = try? SendMessageID(body: bytes.span.bytes) {
                var body: [UInt8] = []
                message.appendBody(to: &body)
                #expect(body == bytes)
            }
        }
    }

    @Test func randomTextsNeverCrashTheReaders() {
        var random = SeededRandom(seed: 18)
        for _ in 0..<10_000 {
            let text = random.idText(0...160)
            _ = try? SendMessageID(text: text)
            _ = try? UniqueID(text: text)
            _ = try? DecodedID(text: text)
            _ = ProfileID(text: text)
            _ = MessageKey(text: text)
            _ = Provider(name: text)
            _ = Channel(name: text)
            _ = UnixTime.nanoseconds(text: text)
            if let launch = try? LaunchID(text: text) { #expect(launch.text == text) }
        }
    }

    /// Texts that begin well: mutations of real ids reach deeper than noise.
    @Test func mutatedIDsNeverCrashTheReaders() {
        var random = SeededRandom(seed: 19)
        for _ in 0..<3000 {
            let message = random.message()
            let texts = [
                message.text(), message.text(.emailSafe), message.uniqueText, message.launch.text,
                "e|\(message.launch.text)|\(message.text())|ios-apns", UnixTime.text(nanoseconds: message.sentAt),
                "w4HFn8RPDFUi_2_4S_S_3___6.2NvyN8Hb67wmzJshM_6BuFTt",
            ]
            var bytes = Array(texts.randomElement(using: &random)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
                case 1 where index < bytes.count: bytes.remove(at: index)
                default: bytes.append(contentsOf: bytes.suffix(index))
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? DecodedID(text: text)
            _ = try? SendMessageID(text: text)
            _ = UnixTime.nanoseconds(text: text)
        }
    }
}
