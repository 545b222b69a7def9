import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import PushPayloads

/// Random messages: each is refused for what is wrong with it and for nothing else, or its payload reads back, through every
/// nesting, to the same texts.
///
/// `ACKHUB_FUZZ_MESSAGES` is how many there are for all nine providers together; a failure names the seed of its message.
@Suite(.blocking) struct AltcraftFuzzTests {
    @Test(arguments: AltcraftPayload.providers) func readsBackWhatItDoesNotRefuse(_ provider: String) throws {
        let count = FuzzCount.each(of: AltcraftPayload.providers)
        let code = try #require(Provider(name: provider))
        var accepted = 0
        var refused = 0
        for index in 0..<count {
            let seed = UInt64(code.rawValue) << 32 | UInt64(index)
            var fuzzer = MessageFuzzer(seed: seed)
            let message = Self.message(provider, &fuzzer)
            let options = PayloadOptions(
                isDocumented: fuzzer.once(in: 4), hasAkUID: fuzzer.once(in: 4), linkBytesMax: Sample.linkBytesMax)
            var faults = FieldFaults()
            let template = PayloadTemplate(code, message: message, at: Self.base, options: options, faults: &faults)
            let faulty = AltcraftRules(message, provider).faultyFields
            if Self.fields(of: faults) != faulty { Issue.record("\(Refused(faults)), not \(faulty), seed \(seed)") }
            guard let template else {
                if faults.isEmpty { Issue.record("no payload and no fault, seed \(seed)") }
                refused += 1
                continue
            }
            let rendered: (payload: AltcraftPayload, bytes: Int)?
            do { rendered = try Self.render(template, provider) } catch {
                Issue.record("no JSON: \(error), seed \(seed)")
                continue
            }
            guard let rendered else {
                if try Self.unbounded(message, provider, options).countedBytes <= 4096 {
                    Issue.record("too large and is not, seed \(seed)")
                }
                refused += 1
                continue
            }
            accepted += 1
            let expected = AltcraftExpectation(message, provider, isDocumented: options.isDocumented)
            for difference in try expected.differences(from: rendered.payload, bytes: rendered.bytes) {
                Issue.record("\(difference), seed \(seed)")
            }
        }
        // Else the messages would prove nothing.
        #expect(accepted > count / 4 && refused > count / 20, "\(accepted) accepted, \(refused) refused")
    }

    /// nil when the payload is too large.
    private static func render(
        _ template: PayloadTemplate, _ provider: String
    ) throws -> (payload: AltcraftPayload, bytes: Int)? {
        let recipient = try #require(PayloadRecipient(token: "token-1"))
        let values = Sample.values(Sample.message, recipient)
        let rendering: PayloadTemplate.Rendering
        do { rendering = try template.rendering(values) } catch {
            guard error.code == .payloadTooLarge else { throw error }
            return nil
        }
        var payload: [UInt8] = []
        var delivery: [UInt8] = []
        template.appendPayload(rendering, values, to: &payload)
        template.appendDelivery(rendering, values, to: &delivery)
        return (
            try AltcraftPayload(
                provider, payload: String(decoding: payload, as: UTF8.self),
                delivery: rendering.hasDelivery ? String(decoding: delivery, as: UTF8.self) : nil),
            rendering.payloadBytes
        )
    }

    private static let base = FieldBase.member(of: .root, name: "message")

    /// The message's members that the faults are at; `""` is the message as a whole.
    private static func fields(of faults: FieldFaults) -> Set<String> {
        let tokens = faults.listed.map { fault -> String in
            guard case .pointer(let pointer) = fault.place else { return "no pointer" }
            // By bytes: a slash with a combining mark is another character.
            let names = pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return names.dropFirst(2).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return Set(tokens)
    }

    /// The payload whatever its size.
    private static func unbounded(
        _ message: JSONValue, _ provider: String, _ options: PayloadOptions
    ) throws -> AltcraftPayload {
        var faults = FieldFaults()
        let renderer = try #require(PayloadProvider.table.first { $0.provider == Provider(name: provider) })
        let shapes = try #require(renderer.shapes(message, Self.base, options, &faults))
        let values = Sample.values(Sample.message, try #require(PayloadRecipient(token: "token-1")))
        var payload: [UInt8] = []
        for piece in PayloadText(shapes.base.payload).pieces {
            switch piece {
            case .bytes(let bytes): payload += bytes
            case .hole(let hole): values.append(hole, to: &payload)
            }
        }
        return try AltcraftPayload(provider, payload: String(decoding: payload, as: UTF8.self), delivery: nil)
    }

    private static func message(_ provider: String, _ fuzzer: inout MessageFuzzer) -> JSONValue {
        guard case .object(var members) = fuzzer.object(of: Self.fields, faultEvery: 200) else { return .null }
        // Most have what they need.
        if !members.contains(where: { $0.name == "title" }) && !fuzzer.once(in: 20) {
            members.append(JSONMember(name: "title", value: .string(fuzzer.text())))
        }
        if AltcraftPayload.appMetrica.contains(provider) && !fuzzer.once(in: 20) {
            members.removeAll { $0.name == "appmetrica" }
            members.append(JSONMember(name: "appmetrica", value: .object([Self.group(&fuzzer)])))
        }
        return .object(members)
    }

    private static let fields: [MessageFuzzer.Field] = [
        ("title", { .string($0.text()) }), ("body", { .string($0.text(piecesMax: 30)) }),
        ("subtitle", { .string($0.text()) }), ("sound", { .string("s" + $0.text(piecesMax: 4)) }),
        ("icon", { .string($0.once(in: 2) ? $0.url("http") : $0.once(in: 9) ? $0.text() : "ic_é\"\\語") }),
        ("image", { .string($0.url("https")) }),
        ("click_url", { .string($0.url($0.one(of: ["https", "http", "shop"]))) }),
        ("color", { .string($0.one(of: ["#FF5722", "#80ff5722"])) }),
        ("led_color", { .string($0.one(of: ["#00FF00", "#ff00ff00"])) }),
        ("vibration", { .bool($0.once(in: 2)) }), ("soundless", { .bool($0.once(in: 2)) }),
        ("priority", { .string($0.one(of: ["high", "NORMAL", "Normal"])) }),
        ("ttl", { .number(String($0.number(in: 0...1_300_000))) }),
        ("badge", { .number(String($0.number(in: 0...999))) }),
        ("buttons", { Self.buttons(&$0) }),
        ("data", { Self.data(&$0) }), ("android", { Self.platform(&$0) }), ("ios", { Self.platform(&$0) }),
        ("appmetrica", { .object([Self.group(&$0)]) }),
    ]

    private static func buttons(_ fuzzer: inout MessageFuzzer) -> JSONValue {
        var buttons: [JSONValue] = []
        for _ in 0..<fuzzer.number(in: 0...3) {
            buttons.append(
                .object([
                    JSONMember(name: "label", value: .string("b" + fuzzer.text(piecesMax: 6))),
                    JSONMember(name: "link", value: .string(fuzzer.url("shop"))),
                ]))
        }
        return .array(buttons)
    }

    private static func group(_ fuzzer: inout MessageFuzzer) -> JSONMember {
        JSONMember(name: "group_id", value: .number(String(fuzzer.number(in: 0...Int.max))))
    }

    private static func platform(_ fuzzer: inout MessageFuzzer) -> JSONValue {
        .object([JSONMember(name: "data", value: Self.data(&fuzzer))])
    }

    /// Custom fields. Their names begin in a way that lets two objects share one, and that is rarely refused.
    private static func data(_ fuzzer: inout MessageFuzzer) -> JSONValue {
        guard case .object(let members) = fuzzer.object(namesMax: 4) else { return .null }
        var data = members.filter { $0.value != .null || fuzzer.once(in: 20) }
        for index in data.indices { data[index].name = "x" + data[index].name }
        for name in ["shared", "caf\u{E9}", "cafe\u{301}"] where fuzzer.once(in: 3) {
            data.append(JSONMember(name: name, value: .string(fuzzer.text())))
        }
        if fuzzer.once(in: 100) {
            data.append(JSONMember(name: fuzzer.one(of: ["_uid", "gcm.x", "aps"]), value: .null))
        }
        return .object(data)
    }
}
