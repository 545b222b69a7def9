import Foundation
import FoundationXML

/// A flat XML document: a root, and below it elements that hold text.
///
/// The parser is libxml2, through Foundation's `XMLParser`; it sees only what `XMLAdmission` lets through. Attributes,
/// comments and processing instructions are ignored.
struct FlatXML: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        var name: String
        /// As it stands, white space included; nil when elements stand in it.
        var text: String?
    }

    /// The root's name.
    let root: String
    /// The root's children, in order.
    let fields: [Field]

    /// Levels of elements, the root included.
    static let depthMax = 16
    /// Elements of all levels.
    static let elementsMax = 256
    /// Of one field.
    static let textBytesMax = 4_096

    /// The caller limits `bytes`; the time taken is linear in them.
    init(parsing bytes: [UInt8]) throws(XMLFault) {
        try XMLAdmission.check(bytes)
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        let reader = FlatXMLReader()
        parser.delegate = reader
        // On Linux `parse` returns true for a text that ends too early or too late; the reader is told of both.
        let isParsed = parser.parse()
        if let fault = reader.fault { throw fault }
        guard isParsed, let root = reader.root else { throw .notWellFormed }
        self.root = root
        self.fields = reader.fields
    }
}

/// Gathers a document's fields while the parser walks over it, and stops the parser at the first fault.
private final class FlatXMLReader: NSObject, XMLParserDelegate {
    private(set) var root: String?
    private(set) var fields: [FlatXML.Field] = []
    private(set) var fault: XMLFault?
    private var depth = 0
    private var elementCount = 0

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        self.depth += 1
        self.elementCount += 1
        guard self.depth <= FlatXML.depthMax else { return self.refuse(.tooDeep, parser) }
        guard self.elementCount <= FlatXML.elementsMax else { return self.refuse(.tooManyElements, parser) }
        switch self.depth {
        case 1: self.root = name
        case 2: self.fields.append(FlatXML.Field(name: name, text: ""))
        default: self.fields[self.fields.count - 1].text = nil
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        self.depth -= 1
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard self.depth == 2, let field = self.fields.indices.last else { return }
        let bytesCount = (self.fields[field].text?.utf8.count ?? 0) + text.utf8.count
        guard bytesCount <= FlatXML.textBytesMax else { return self.refuse(.textTooLong, parser) }
        self.fields[field].text?.append(text)
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        self.parser(parser, foundCharacters: String(decoding: data, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        self.refuse(.notWellFormed, parser)
    }

    /// The parser may call on after it is stopped; the first fault stands.
    private func refuse(_ fault: XMLFault, _ parser: XMLParser) {
        guard self.fault == nil else { return }
        self.fault = fault
        parser.abortParsing()
    }
}
