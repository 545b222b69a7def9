import Testing

@testable import StrictJSON

/// The length of JSON is that of what the writer writes.
@Suite struct JSONLengthTests {
    private static let texts = [
        "null", "true", "false", "0", "-1.50e+3", "12345678901234567890", #""""#,
        #""a\"\\\/\b\f\n\r\t\u0000\u001f\u007f""#, #""é語😀e\u0301""#, "[]", "[1]", "[1,[true,null]]", "{}", #"{"":{}}"#,
        #"{"a":1,"\u0001":["x",{"é":false}],"b":""}"#,
    ]

    @Test(arguments: texts) func isThatOfTheWritersText(_ text: String) throws {
        let value = try parse(text)
        var json = JSONWriter()
        json.value(value)
        let bytes = json.bytes.count
        for bytesMax in [bytes, bytes + 1, 1 << 20] {
            #expect(JSONLength.bytes(of: value, atMost: bytesMax) == bytes)
        }
        for bytesMax in 0..<bytes { #expect(JSONLength.bytes(of: value, atMost: bytesMax) == nil) }
        if case .string(let text) = value { #expect(JSONLength.bytes(of: text) == bytes) }
    }
}
