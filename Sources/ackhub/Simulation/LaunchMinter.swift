import CommandLineOptions
import HubLinks
import MessageIDs
import StrictJSON

/// A message of the launch as the hub minted it.
struct MintedMessage: Sendable {
    var uid: String
    /// What a device asks for: the links without scheme and host.
    var ackPath: String
    var openPath: String

    func path(_ kind: EventKind) -> String { kind == .ack ? self.ackPath : self.openPath }
}

/// Mints a plan's launch over the API, in JSON and NDJSON requests in turn.
///
/// Each request has an `Idempotency-Key`, so that one whose answer was lost is repeated without counting twice.
struct LaunchMinter {
    let client: APIClient
    let campaign: Int64
    /// UNIX nanoseconds.
    let launchedAt: UInt64

    func mint(_ plan: SimulationPlan, progress: (Int) -> Void) throws -> (launch: LaunchID, messages: [MintedMessage]) {
        var minted: [MintedMessage] = []
        var launch: String?
        for batch in plan.batches {
            let answers = try batch.isStreamed ? self.stream(batch, of: plan) : self.object(batch, of: plan)
            guard answers.count == batch.messages.count else {
                throw CommandError("POST /v1/links: \(answers.count) answers to \(batch.messages.count) messages")
            }
            for answer in answers {
                guard let uid = answer["uid"]?.text, let id = answer["launch_id"]?.text,
                    let ack = answer["hub_link"]?["ack"]?.text, let open = answer["hub_link"]?["open"]?.text
                else { throw CommandError("POST /v1/links: a message without its links: \(answer)") }
                guard launch == nil || launch == id else { throw CommandError("POST /v1/links: two launches, \(id)") }
                launch = id
                minted.append(
                    MintedMessage(
                        uid: uid, ackPath: HubAddress.path(of: ack), openPath: HubAddress.path(of: open)))
            }
            progress(minted.count)
        }
        return (try LaunchID(text: launch ?? ""), minted)
    }

    /// One JSON object; answers in its `messages`.
    private func object(_ batch: PlannedBatch, of plan: SimulationPlan) throws -> [JSONValue] {
        var writer = JSONWriter()
        writer.beginObject()
        self.writeLaunch(plan.messages[batch.messages.lowerBound], to: &writer)
        writer.key("messages")
        writer.beginArray()
        for message in plan.messages[batch.messages] {
            writer.beginObject()
            Self.writeRecipient(message, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        let answer = try self.post(writer.bytes, type: "application/json", batch)
        return try JSONValue(parsing: answer.body.span.bytes)["messages"]?.items ?? []
    }

    /// A line a message; a line an answer.
    private func stream(_ batch: PlannedBatch, of plan: SimulationPlan) throws -> [JSONValue] {
        var lines: [UInt8] = []
        for message in plan.messages[batch.messages] {
            var writer = JSONWriter()
            writer.beginObject()
            self.writeLaunch(message, to: &writer)
            Self.writeRecipient(message, to: &writer)
            writer.endObject()
            lines += writer.bytes
            lines.append(UInt8(ascii: "\n"))
        }
        let answer = try self.post(lines, type: "application/x-ndjson", batch)
        return try answer.body.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONValue(parsing: Array(line).span.bytes)
        }
    }

    private func post(_ body: [UInt8], type: String, _ batch: PlannedBatch) throws -> HTTPAnswer {
        let answer = try self.client.send(
            "POST", "/v1/links",
            fields: [
                "Content-Type: \(type)",
                "Idempotency-Key: simulate-\(self.campaign)-\(self.launchedAt)-\(batch.messages.lowerBound)",
            ],
            body: body)
        guard answer.status == 200 else { throw CommandError("POST /v1/links: \(answer.summary)") }
        return answer
    }

    private func writeLaunch(_ message: PlannedMessage, to writer: inout JSONWriter) {
        writer.key("campaign_id")
        writer.number(self.campaign)
        writer.key("launched_at")
        writer.string(UnixTime.text(nanoseconds: self.launchedAt))
        writer.key("provider")
        writer.string(message.provider.name)
        writer.key("style")
        writer.string(message.style.rawValue)
        writer.key("privacy")
        writer.number(Int64(message.privacy.rawValue))
        writer.key("test")
        writer.bool(message.isTest)
    }

    /// The profile as text and the subscription as a number: both forms are taken.
    private static func writeRecipient(_ message: PlannedMessage, to writer: inout JSONWriter) {
        writer.key("profile_id")
        writer.string(message.profile.text)
        writer.key("subscription_id")
        writer.number(message.subscription)
    }
}
