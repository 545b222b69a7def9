import Foundation
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import PushPayloads

/// Every provider's payloads against files that were checked by eye against the vendor's document, through Python's parser.
///
/// `Golden/<provider>/<case>.message.json` is the message; a case that ends in `.documented` is rendered with that template,
/// one with a part `.locale-fr` for a device of that locale.
/// `<case>.payload.json` is what must come out, as Python prints it with two spaces; `<case>.delivery.json` what goes
/// beside it. `ACKHUB_WRITE_GOLDEN=1` writes what comes out, to be read and checked before it is kept.
@Suite(.blocking) struct GoldenTests {
    static let cases: [GoldenCase] = GoldenCase.all

    @Test(arguments: Provider.known.map(\.name)) func everyProviderHasAMinimalAFullAndANastyMessage(_ provider: String)
    {
        let names = Set(Self.cases.filter { $0.provider == provider }.map(\.name))
        #expect(names.isSuperset(of: ["minimal", "full", "nasty"]), "\(provider)")
    }

    @Test(arguments: cases) func rendersAsTheVendorDocuments(_ golden: GoldenCase) throws {
        var request = Rendered.Request(golden.provider, try golden.text("message"))
        request.isDocumented = golden.name.hasSuffix(".documented")
        request.token = golden.token
        request.locale = golden.locale
        let rendered = try Rendered(request)
        try golden.check("payload", rendered.payload)
        try golden.check("delivery", rendered.delivery)
    }
}

struct GoldenCase: Sendable, CustomTestStringConvertible {
    let provider: String
    let name: String
    var testDescription: String { "\(self.provider)/\(self.name)" }

    /// AppMetrica's Android devices are named by their advertising id.
    var token: String { self.provider == "android-appmetrica" ? "38400000-8cf0-11bd-b23e-10b96e40000d" : "token-1" }

    var locale: String? {
        let mark = "locale-"
        return self.name.split(separator: ".").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    static let all: [GoldenCase] = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder)) ?? []
        return folders.sorted().flatMap { provider in
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/\(provider)")) ?? []
            return files.sorted().filter { $0.hasSuffix(".message.json") }
                .map { GoldenCase(provider: provider, name: String($0.dropLast(".message.json".count))) }
        }
    }()

    private static let writes = ProcessInfo.processInfo.environment["ACKHUB_WRITE_GOLDEN"] == "1"
    /// The bundle's copy, or the sources when they are to be written.
    private static let folder =
        writes
        ? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden").path()
        : Bundle.module.bundleURL.appending(path: "Golden").path()

    private func path(_ part: String) -> String { "\(Self.folder)/\(self.provider)/\(self.name).\(part).json" }

    func text(_ part: String) throws -> String { try String(contentsOfFile: self.path(part), encoding: .utf8) }

    func check(_ part: String, _ actual: String?) throws {
        guard let actual else {
            #expect(!FileManager.default.fileExists(atPath: self.path(part)), "\(part) is missing")
            return
        }
        let printed = try Python.printed(actual)
        if Self.writes { try printed.write(toFile: self.path(part), atomically: true, encoding: .utf8) }
        #expect(try printed == self.text(part))
    }
}

/// JSON through Python's parser: a reader that shares nothing with ours.
enum Python {
    /// The text parsed and printed with two spaces. Fails unless it is compact, in UTF-8 and without duplicate names, at every
    /// level of JSON inside JSON.
    static func printed(_ json: String) throws -> String {
        let python = try ChildProcess("python3", ["-c", Self.program])
        python.write(json)
        python.closeInput()
        let status = python.wait()
        try #require(status == 0, "python3 ended with \(status ?? -99): \(python.standardError)")
        return python.standardOutput
    }

    private static let program = """
        import json, sys
        def unique(pairs):
            names = [name for name, _ in pairs]
            assert len(names) == len(set(names)), "a duplicate name"
            return dict(pairs)
        def walk(value):
            if isinstance(value, dict): [walk(item) for item in value.values()]
            elif isinstance(value, list): [walk(item) for item in value]
            elif isinstance(value, str) and value[:1] in ("{", "["):
                try: inner = json.loads(value, object_pairs_hook=unique)
                except json.JSONDecodeError: return
                walk(inner)
        text = sys.stdin.buffer.read().decode("utf-8")
        value = json.loads(text, object_pairs_hook=unique)
        walk(value)
        compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        assert compact.encode("utf-8") == text.encode("utf-8"), "not compact: " + compact
        sys.stdout.buffer.write((json.dumps(value, ensure_ascii=False, indent=2) + "\\n").encode("utf-8"))
        """
}
