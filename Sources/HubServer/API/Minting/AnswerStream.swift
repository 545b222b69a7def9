import HTTPFrontEnd

/// Writes one JSON answer: a short one whole, with its length, a longer one in pieces, in bounded memory.
struct AnswerStream {
    static let pieceBytes = 64 << 10

    private let writer: HTTPResponseWriter
    private let headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    private var isStarted = false
    /// What is to be written next.
    var bytes: [UInt8] = []

    init(_ writer: HTTPResponseWriter) {
        self.writer = writer
    }

    /// Writes when a piece is full.
    mutating func writeFullPiece() async throws(HTTPBodyError) {
        guard self.bytes.count >= Self.pieceBytes else { return }
        if !self.isStarted {
            self.isStarted = true
            await self.writer.start(status: 200, headers: self.headers)
        }
        try await self.writer.write(self.bytes)
        self.bytes.removeAll(keepingCapacity: true)
    }

    mutating func finish() async throws(HTTPBodyError) -> Answer {
        guard self.isStarted else { return .whole(HTTPResponse(status: 200, headers: self.headers, body: self.bytes)) }
        try await self.writer.write(self.bytes)
        await self.writer.finish()
        return .streamed(status: 200)
    }
}
