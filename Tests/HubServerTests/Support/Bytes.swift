/// Runs `body` on a text's bytes, as the device path sees a field's value.
func withBytes<Result>(_ text: String, _ body: (RawSpan, Range<Int>) -> Result) -> Result {
    let bytes = Array(text.utf8)
    return body(bytes.span.bytes, 0..<bytes.count)
}
