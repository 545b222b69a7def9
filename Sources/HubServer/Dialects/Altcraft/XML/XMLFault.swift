/// Why an XML text is refused.
enum XMLFault: String, Error, Sendable, CaseIterable {
    /// Not UTF-8, or with a NUL in it.
    case notUTF8
    /// The declaration names another encoding than UTF-8.
    case otherEncoding
    /// A document type: the way to entities of one's own, which no flat request needs.
    case documentType
    case notWellFormed
    case tooDeep
    case tooManyElements
    case textTooLong

    /// For people; holds nothing of the text.
    var detail: String {
        switch self {
        case .notUTF8: "The XML is not UTF-8 text."
        case .otherEncoding: "The XML must be in UTF-8."
        case .documentType: "The XML may not have a document type or declare entities."
        case .notWellFormed: "The XML is not well-formed."
        case .tooDeep: "The XML has more than \(FlatXML.depthMax) levels."
        case .tooManyElements: "The XML has more than \(FlatXML.elementsMax) elements."
        case .textTooLong: "An element's text is longer than \(FlatXML.textBytesMax) bytes."
        }
    }
}
