/// Finds a request's body in the bytes behind its head, whichever way it is framed.
enum BodyDecoder {
    case none
    case length(remaining: Int)
    case chunked(ChunkDecoder)

    init(_ framing: HTTPBodyFraming) {
        switch framing {
        case .none: self = .none
        case .length(let count): self = .length(remaining: count)
        case .chunked: self = .chunked(ChunkDecoder())
        }
    }

    /// Nothing of the body is left to read.
    var hasEnded: Bool {
        switch self {
        case .none: true
        case .length(let remaining): remaining == 0
        case .chunked(let decoder): decoder.hasEnded
        }
    }

    /// Bytes that are still to come, where the framing tells.
    var remainingBytes: Int? {
        switch self {
        case .none: 0
        case .length(let remaining): remaining
        case .chunked(let decoder): decoder.hasEnded ? 0 : nil
        }
    }

    /// Takes the next step in `bytes` from `offset` on; after `.data` that was the last, the next step says `.end`.
    mutating func step(_ bytes: RawSpan, from offset: Int, trailerBytesMax: Int) -> ChunkDecoder.Step {
        switch self {
        case .none:
            return .end(consumed: offset)
        case .length(let remaining):
            if remaining == 0 { return .end(consumed: offset) }
            let count = min(remaining, bytes.byteCount - offset)
            if count == 0 { return .needsMore }
            self = .length(remaining: remaining - count)
            return .data(offset..<offset + count, consumed: offset + count)
        case .chunked(var decoder):
            if decoder.hasEnded { return .end(consumed: offset) }
            let step = decoder.step(bytes, from: offset, trailerBytesMax: trailerBytesMax)
            self = .chunked(decoder)
            return step
        }
    }
}
