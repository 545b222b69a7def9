import Foundation
import TestSupport
import Testing

@testable import HubServer

/// The XML reader: what it reads, what it refuses, and that no text makes it slow, large or curious.
@Suite struct FlatXMLTests {
    private static func parse(_ text: String) throws(XMLFault) -> FlatXML { try FlatXML(parsing: Array(text.utf8)) }

    private static func fault(_ bytes: [UInt8]) -> XMLFault? {
        do {
            _ = try FlatXML(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsFields() throws {
        let text = """
            \u{FEFF}<?xml version='1.0' encoding = 'Utf-8' standalone="yes"?>
            <!-- <uid>no</uid> --><?target data?>
            <xml xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" a="1">
              <token b="2">a&amp;b&#65;&#x42;&lt;</token> between
              <uid><![CDATA[e|<2>]]>&gt;<!-- c -->!</uid>
              <events/>
              <events></events>
              <nested>a<deep>b</deep>c</nested>
              <space> \t x
            </space>
            </xml>
            <!-- after -->
            """
        let document = try Self.parse(text)
        #expect(document.root == "xml")
        #expect(
            document.fields == [
                .init(name: "token", text: "a&bAB<"), .init(name: "uid", text: "e|<2>>!"),
                .init(name: "events", text: ""), .init(name: "events", text: ""), .init(name: "nested", text: nil),
                .init(name: "space", text: " \t x\n"),
            ])
    }

    /// The parser itself calls several of these well parsed.
    @Test(arguments: [
        "", " ", "x", "<xml>", "<xml><uid>a", "<xml><uid>a</ui", "<xml><uid>a</uid>", "<xml></xml><xml></xml>",
        "<xml></xml>x", "<xml></xml>&amp;", "<xml><a></b></xml>", "<xml a=1></xml>", "<xml a='1' a='2'></xml>",
        "<xml>&unknown;</xml>", "<xml a='&unknown;'></xml>", "<xml>&#1;</xml>", "<xml>&#0;</xml>",
        "<xml>&#xD800;</xml>",
        "<xml>\u{1}</xml>", "<xml>a & b</xml>", "<xml><![CDATA[x</xml>", "<xml><!-- -- --></xml>",
        " <?xml version=\"1.0\"?><xml></xml>", "<?xml version=\"1.0\"", "<?xml version=\"1.0\" encoding?><xml></xml>",
        "<?xml version=\"1.0\" encoding=utf-8?><xml></xml>", "<?xml version=\"1.0\" encoding='utf-8\"?><xml></xml>",
        "{\"uid\":1}",
    ])
    func refusesWhatIsNotWellFormed(text: String) {
        let fault = Self.fault(Array(text.utf8))
        // An encoding's name without its end is another one as well.
        #expect(fault == .notWellFormed || text.contains("'utf-8\"") && fault == .otherEncoding)
    }

    @Test func refusesOtherEncodings() throws {
        for name in ["utf-16", "UTF-16LE", "iso-8859-1", "windows-1251", "us-ascii", "UTF-7", "utf8", ""] {
            let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><xml></xml>"
            #expect(Self.fault(Array(text.utf8)) == .otherEncoding, "\(name)")
        }
        let text = "<?xml version=\"1.0\"?><xml><uid>1</uid></xml>"
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
            let bytes = Array(try #require(text.data(using: encoding)))
            #expect(Self.fault(bytes) == .notUTF8, "\(encoding)")
        }
    }

    /// NUL and bytes that are no UTF-8, wherever they stand: also behind the root, where the parser does not look.
    @Test func refusesBytesThatAreNoText() {
        let whole = Array("<xml><uid>ab</uid></xml>".utf8)
        let bad: [[UInt8]] = [[0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]]
        for index in 0...whole.count {
            for bytes in bad { #expect(Self.fault(whole[..<index] + bytes + whole[index...]) == .notUTF8) }
        }
    }

    @Test func limitsLevelsElementsAndTexts() throws {
        let nested = { (levels: Int) in
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
        }
        #expect(try Self.parse(nested(FlatXML.depthMax)).fields == [.init(name: "a", text: nil)])
        #expect(Self.fault(Array(nested(FlatXML.depthMax + 1).utf8)) == .tooDeep)

        let wide = { (elements: Int) in "<xml>" + String(repeating: "<a/>", count: elements - 1) + "</xml>" }
        #expect(try Self.parse(wide(FlatXML.elementsMax)).fields.count == FlatXML.elementsMax - 1)
        #expect(Self.fault(Array(wide(FlatXML.elementsMax + 1).utf8)) == .tooManyElements)

        let long = { (bytes: Int) in "<xml><a>" + String(repeating: "x", count: bytes) + "</a><b>y</b></xml>" }
        #expect(try Self.parse(long(FlatXML.textBytesMax)).fields[0].text?.utf8.count == FlatXML.textBytesMax)
        #expect(Self.fault(Array(long(FlatXML.textBytesMax + 1).utf8)) == .textTooLong)
        let pieces = "<xml><a>" + String(repeating: "x<![CDATA[y]]>", count: FlatXML.textBytesMax) + "</a></xml>"
        #expect(Self.fault(Array(pieces.utf8)) == .textTooLong)
    }

    /// A document type is refused before the parser sees it, in any place and spelling.
    @Test(arguments: HostileXML.documentTypes)
    func refusesDocumentTypes(text: String) {
        #expect(Self.fault(Array(text.utf8)) == .documentType)
    }

    /// Every hostile text together: half a minute of CPU and 32 MiB are far more than they may take, and far less than any
    /// of the expansions would.
    @Test func staysSmallAndQuick() async {
        await #expect(processExitsWith: .success) {
            let memoryBefore = try peakMemoryKilobytes()
            for text in HostileXML.documentTypes + HostileXML.bulks {
                if (try? FlatXML(parsing: Array(text.utf8))) != nil { exit(1) }
            }
            let grown = try peakMemoryKilobytes() - memoryBefore
            if grown > 32 << 10 { exit(2) }
            if clock() > 30 * CLOCKS_PER_SEC { exit(3) }
        }
    }

    /// Parsers of several threads do not meet.
    @Test func readsOnManyThreads() async throws {
        let results = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let isBad = index % 3 == 0
                    let text = "<xml><uid>\(index)</uid>" + (isBad ? "<b>&x;</b>" : "") + "</xml>"
                    let document = try? FlatXML(parsing: Array(text.utf8))
                    return isBad ? document == nil : document?.fields == [.init(name: "uid", text: "\(index)")]
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 200 && !results.contains(false))
    }
}

/// The most memory that this process has held (Linux `VmHWM`).
private func peakMemoryKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let digits = line?.filter({ ("0"..."9").contains($0) }), let value = Int(digits) else {
        preconditionFailure("no VmHWM")
    }
    return value
}

/// The known attacks on XML readers.
enum HostileXML {
    static let documentTypes: [String] = [
        Self.billionLaughs, Self.quadraticBlowup,
        "<!DOCTYPE xml [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><xml><uid>&e;</uid></xml>",
        "<!DOCTYPE xml [<!ENTITY e SYSTEM \"http://127.0.0.1:9/e\">]><xml><uid>&e;</uid></xml>",
        "<!DOCTYPE xml PUBLIC \"a\" \"http://127.0.0.1:9/x.dtd\"><xml></xml>",
        "<!DOCTYPE xml SYSTEM \"file:///etc/passwd\"><xml></xml>",
        "<!DOCTYPE xml [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/p\"> %p;]><xml></xml>",
        "<!DOCTYPE xml [<!ENTITY % a '<!ENTITY &#37; b \"x\">'> %a; %b;]><xml></xml>",
        "<!DOCTYPE xml [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><xml>&a;</xml>",
        "<!DOCTYPE xml [<!ATTLIST xml a CDATA \"default\">]><xml></xml>", "<!DOCTYPE xml><xml></xml>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE\nxml>\n<xml></xml>", "<!-- c --><!DOCTYPE xml><xml></xml>",
        "<xml><!DOCTYPE xml></xml>", "<xml><!ENTITY a \"b\"></xml>", "<xml></xml><!DOCTYPE xml>",
        "<!doctype xml><xml/>",
    ]

    /// No entities, only much: 64 KiB each, as large as a body may be.
    static let bulks: [String] = [
        String(repeating: "<a>", count: 1_000) + String(repeating: "</a>", count: 1_000),
        String(repeating: "<a>", count: 21_000), "<xml>" + String(repeating: "<a/>", count: 16_000) + "</xml>",
        "<xml><a>" + String(repeating: "x", count: 65_000) + "</a></xml>",
        "<xml><a>" + String(repeating: "&amp;", count: 13_000) + "</a></xml>",
        "<xml><a " + (0..<7_000).map { "a\($0)=''" }.joined(separator: " ") + "/><b></xml>",
        "<xml a='" + String(repeating: "&lt;", count: 16_000) + "'>", "<" + String(repeating: "a", count: 65_000) + ">",
        "<xml><!--" + String(repeating: "-", count: 65_000) + "></xml>",
        "<xml>" + String(repeating: "<?p d?>", count: 9_000),
        "<xml><![CDATA[" + String(repeating: "]", count: 65_000),
        "<?xml " + String(repeating: " ", count: 65_000), String(repeating: "<!--", count: 16_000),
    ]

    /// Ten entities, each ten of the one before.
    private static let billionLaughs: String = {
        var text = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY l0 \"hahaha\">"
        for level in 1...10 {
            let references = String(repeating: "&l\(level - 1);", count: 10)
            text += "<!ENTITY l\(level) \"\(references)\">"
        }
        return text + "]><xml><uid>&l10;</uid></xml>"
    }()

    /// One long entity, many times.
    private static let quadraticBlowup: String =
        "<!DOCTYPE xml [<!ENTITY a \"" + String(repeating: "x", count: 32_000) + "\">]><xml><uid>"
        + String(repeating: "&a;", count: 10_000) + "</uid></xml>"
}
