import Foundation
import Glibc

/// Whether an http or https URL leads anywhere.
///
/// Foundation's parser of RFC 3986 does the work, with its encoding of international names; the whole of Foundation, for
/// without its ICU that encoding is not done. It passes over what the phones' parsers stumble on, which is checked here.
enum WebAddress {
    /// The scheme in any case, a host, and a port that can be. Path, query and fragment may be anything.
    static func isSound(_ text: String) -> Bool {
        guard let separator = text.utf8.firstRange(of: "://".utf8), let components = URLComponents(string: text),
            let host = components.encodedHost, components.host != nil
        else { return false }
        let authority = text[separator.upperBound...].unicodeScalars.prefix { !"/?#".unicodeScalars.contains($0) }
        return authority.allSatisfy { !Self.isInvisible($0) } && authority.count(where: { $0 == "@" }) <= 1
            && Self.isHost(host) && Self.hasSoundPort(components)
    }

    /// None, an empty one, or a number that a port can have; Foundation gives none for one that is beyond an `Int`.
    private static func hasSoundPort(_ components: URLComponents) -> Bool {
        guard let range = components.rangeOfPort, !range.isEmpty else { return true }
        return components.port.map((1...Int(UInt16.max)).contains) == true
    }

    /// Foundation drops such scalars from a host, so that it would not be the one that a person sees.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
    }

    /// An IPv6 address in brackets, or labels of letters, digits, `-` and `_` with or without a dot at the end. A
    /// percent-encoded name is none: not every parser decodes it.
    private static func isHost(_ host: String) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") {
            var address = in6_addr()
            return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
        }
        let name = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(Self.isOfLabel) }
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
