import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// One payload as `POST /v1/payloads` would give it, from literal JSON.
struct Rendered {
    let payload: String
    let delivery: String?
    let payloadBytes: Int

    /// The message, the send and the recipient of a test; what is not given is `Sample`'s.
    struct Request {
        var provider: Provider
        var message: String
        var isDocumented = false
        var hasAkUID = false
        var token = "token-1"
        var locale: String?
        var sent = Sample.message

        init(_ provider: String, _ message: String) {
            self.provider = Provider(name: provider)!
            self.message = message
        }
    }

    /// Throws `FieldFaults` as `Refused`, in the order found.
    init(_ request: Request) throws {
        let message = try JSONValue(parsing: Array(request.message.utf8).span.bytes)
        var faults = FieldFaults()
        let options = PayloadOptions(
            isDocumented: request.isDocumented, hasAkUID: request.hasAkUID, linkBytesMax: Sample.linkBytesMax)
        let base = FieldBase.member(of: .root, name: "message")
        let template = PayloadTemplate(request.provider, message: message, at: base, options: options, faults: &faults)
        guard let template else { throw Refused(faults) }
        #expect(faults.isEmpty, "a template in spite of faults")
        var sent = request.sent
        sent.provider = request.provider
        let recipient = try #require(PayloadRecipient(token: request.token, locale: request.locale))
        let values = Sample.values(sent, recipient)
        let rendering: PayloadTemplate.Rendering
        do { rendering = try template.rendering(values) } catch {
            faults.add(base.place, error)
            throw Refused(faults)
        }
        var payload: [UInt8] = []
        template.appendPayload(rendering, values, to: &payload)
        self.payload = String(decoding: payload, as: UTF8.self)
        var delivery: [UInt8] = []
        template.appendDelivery(rendering, values, to: &delivery)
        #expect(rendering.hasDelivery == !delivery.isEmpty)
        self.delivery = rendering.hasDelivery ? String(decoding: delivery, as: UTF8.self) : nil
        self.payloadBytes = rendering.payloadBytes
    }

    init(_ provider: String, _ message: String) throws { try self.init(Request(provider, message)) }

    /// The payload as the strict reader sees it.
    var json: JSONValue {
        get throws { try JSONValue(parsing: Array(self.payload.utf8).span.bytes) }
    }

    /// The value at a path of names; a string on the way is read as JSON.
    subscript(_ path: String...) -> JSONValue? {
        var value = try? self.json
        for name in path {
            if case .string(let text)? = value { value = try? JSONValue(parsing: Array(text.utf8).span.bytes) }
            value = value?[name]
        }
        return value
    }
}

/// Why a message was refused: `/message/title type`.
struct Refused: Error, Equatable, CustomStringConvertible {
    let faults: [String]
    var description: String { self.faults.joined(separator: ", ") }

    init(_ faults: FieldFaults) {
        self.faults = faults.listed.map { fault in
            guard case .pointer(let pointer) = fault.place else { return fault.code.rawValue }
            return "\(pointer) \(fault.code.rawValue)"
        }
    }

    init(_ faults: String...) { self.faults = faults }
}
