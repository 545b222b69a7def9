import HTTPFrontEnd

/// The trusted-proxy rule (design section 5): the peer is the client, unless the peer is a trusted proxy; then it is the
/// right-most hop of X-Forwarded-For or Forwarded that is not one.
///
/// Each proxy appends the address that it saw, so the chain is read from the right, and only as far as trusted proxies
/// wrote it: what a client sends of its own lies further left and is never reached. A hop that is no address ends the
/// walk at the last good one. With both fields present X-Forwarded-For is read: a proxy that writes only this one passes a
/// client's Forwarded on as it is.
struct ForwardedChain {
    let trusted: [CIDR]

    /// The fields are looked at only where a trusted proxy sent them.
    func client(peer: IPAddress, _ head: borrowing HTTPRequestHead, _ bytes: RawSpan) -> IPAddress {
        guard self.isTrusted(peer) else { return peer }
        return self.client(
            proxy: peer, forwardedFor: ForwardedLines("x-forwarded-for", of: head, bytes),
            forwarded: ForwardedLines("forwarded", of: head, bytes), bytes)
    }

    func client(
        proxy: IPAddress, forwardedFor: borrowing ForwardedLines, forwarded: borrowing ForwardedLines, _ bytes: RawSpan
    ) -> IPAddress {
        if forwardedFor.count > 0 { return self.walk(from: proxy, forwardedFor, bytes, isForwarded: false) }
        return self.walk(from: proxy, forwarded, bytes, isForwarded: true)
    }

    func isTrusted(_ address: IPAddress) -> Bool {
        for range in self.trusted where range.contains(address) { return true }
        return false
    }

    private func walk(
        from peer: IPAddress, _ lines: borrowing ForwardedLines, _ bytes: RawSpan, isForwarded: Bool
    ) -> IPAddress {
        var client = peer
        for index in (0..<lines.count).reversed() {
            var rest = lines[index]
            while !rest.isEmpty {
                let element = Self.lastElement(bytes, &rest)
                // RFC 9110 section 5.6.1: empty list elements are ignored.
                if element.isEmpty { continue }
                let place = isForwarded ? Self.forParameter(bytes, element) : element
                guard let place, let hop = IPAddress(hop: bytes, place) else { return client }
                client = hop
                if !self.isTrusted(hop) { return hop }
            }
        }
        return client
    }

    /// Cuts the part after the last comma outside quotes off `rest`.
    private static func lastElement(_ bytes: RawSpan, _ rest: inout Range<Int>) -> Range<Int> {
        var isQuoted = false
        var index = rest.upperBound
        while index > rest.lowerBound {
            let byte = bytes.byte(index - 1)
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ",") && !isQuoted {
                let element = bytes.trimmed(index..<rest.upperBound)
                rest = rest.lowerBound..<(index - 1)
                return element
            }
            index -= 1
        }
        let element = bytes.trimmed(rest)
        rest = rest.lowerBound..<rest.lowerBound
        return element
    }

    /// The value of `for=` in an element of Forwarded (RFC 7239 section 4). An escape inside quotes is no address.
    private static func forParameter(_ bytes: RawSpan, _ element: Range<Int>) -> Range<Int>? {
        var start = element.lowerBound
        while start < element.upperBound {
            var end = start
            var isQuoted = false
            while end < element.upperBound {
                let byte = bytes.byte(end)
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == UInt8(ascii: ";") && !isQuoted { break }
                end += 1
            }
            let pair = bytes.trimmed(start..<end)
            if bytes.hasLowercasedPrefix(pair, "for=") { return (pair.lowerBound + 4)..<pair.upperBound }
            start = end + 1
        }
        return nil
    }
}

extension IPAddress {
    /// A hop as proxies write it: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:443`, each
    /// perhaps in double quotes; nil for `unknown`, `_hidden` and the rest.
    init?(hop bytes: RawSpan, _ range: Range<Int>) {
        var range = range
        if range.count >= 2, bytes.byte(range.lowerBound) == UInt8(ascii: "\""),
            bytes.byte(range.upperBound - 1) == UInt8(ascii: "\"")
        {
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        guard !range.isEmpty else { return nil }
        if bytes.byte(range.lowerBound) == UInt8(ascii: "[") {
            guard let close = range.first(where: { bytes.byte($0) == UInt8(ascii: "]") }) else { return nil }
            guard Self.isPortOrNothing(bytes, (close + 1)..<range.upperBound) else { return nil }
            let inside = (range.lowerBound + 1)..<close
            guard inside.contains(where: { bytes.byte($0) == UInt8(ascii: ":") }) else { return nil }
            self.init(bytes, inside)
            return
        }
        let colons = range.count(where: { bytes.byte($0) == UInt8(ascii: ":") })
        if colons == 1, let colon = range.first(where: { bytes.byte($0) == UInt8(ascii: ":") }) {
            guard Self.isPortOrNothing(bytes, colon..<range.upperBound) else { return nil }
            range = range.lowerBound..<colon
        }
        self.init(bytes, range)
    }

    private static func isPortOrNothing(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        if range.isEmpty { return true }
        guard bytes.byte(range.lowerBound) == UInt8(ascii: ":"), (2...6).contains(range.count) else { return false }
        return range.dropFirst().allSatisfy { (48...57).contains(bytes.byte($0)) }
    }
}
