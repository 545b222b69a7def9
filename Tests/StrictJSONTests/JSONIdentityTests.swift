import StrictJSON
import Testing

@Suite struct JSONIdentityTests {
    /// Identical is what is written alike, byte by byte.
    @Test(arguments: [
        ("null", "null", true), ("true", "true", true), ("true", "false", false), ("1", "1", true), ("1", "1.0", false),
        ("\"a\"", "\"a\"", true), ("\"\\u0061\"", "\"a\"", true), ("\"1\"", "1", false), ("\"a\"", "\"ab\"", false),
        ("\"\u{E9}\"", "\"e\u{301}\"", false), ("[\"\u{E9}\"]", "[\"e\u{301}\"]", false),
        ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", false), ("[1,2]", "[1,2]", true), ("[1,2]", "[2,1]", false),
        ("[1]", "[1,2]", false), ("{\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[1]}}", true),
        ("{\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[2]}}", false), ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false),
        ("{\"a\":1}", "{\"a\":1,\"b\":2}", false), ("[]", "{}", false),
    ])
    func comparesByBytes(left: String, right: String, isIdentical: Bool) throws {
        let (a, b) = try (Self.parse(left), Self.parse(right))
        #expect(a.isIdentical(to: b) == isIdentical)
        #expect(b.isIdentical(to: a) == isIdentical)
    }

    private static func parse(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8).span.bytes)
    }
}
