import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres
import StrictJSON

/// The statistics of a message. Pushwoosh's message, sent to many, is the hub's launch: its code is the launch id.
///
/// They ask for an API token with scope `report`, and are answered from the launch report's counters.
enum PushwooshStatistics {
    /// `getMsgStats`
    static func schedule(_ call: DialectCall) async throws -> DialectReport {
        try await self.schedule(PushwooshArguments(call), platforms: [], call)
    }

    /// `getMsgPlatformsStats`
    static func schedulePlatforms(_ call: DialectCall) async throws -> DialectReport {
        let arguments = try PushwooshArguments(call)
        return try await self.schedule(arguments, platforms: arguments.platforms(), call)
    }

    private static func schedule(
        _ arguments: PushwooshArguments, platforms: Set<Int64>, _ call: DialectCall
    ) async throws -> DialectReport {
        let account = try await self.account(of: arguments.text("auth"), call)
        let launch = try self.launch(arguments.text("message"), of: account)
        let query = PushwooshStatisticsQuery(launch: launch, platforms: platforms)
        return DialectReport(
            response: PushwooshReply.success(call) { json in
                json.beginObject()
                json.member("request_id", query.text)
                json.endObject()
            })
    }

    /// `getResults`. Nothing was really scheduled: the first poll has the answer, as of its own time.
    static func results(_ call: DialectCall) async throws -> DialectReport {
        let arguments = try PushwooshArguments(call)
        let account = try await self.account(of: arguments.text("auth"), call)
        guard let query = PushwooshStatisticsQuery(text: try arguments.text("request_id")) else {
            throw DialectRefusal(.invalidArgument, "request_id is none that this hub gave.")
        }
        guard query.launch.account == account else { throw Problem.wrongAccount }
        let figures = try await self.figures(
            of: query.launch, platforms: query.platforms, call, width: PushwooshTime.width)
        return DialectReport(response: PushwooshReply.success(call) { figures.writeResults(to: &$0) })
    }

    /// `totalsByIntervals`, by the hour.
    static func totalsByIntervals(_ call: DialectCall) async throws -> DialectReport {
        guard let authorization = call.request.header("authorization") else { throw Problem.missingToken }
        // Documented is the bare token; clients that put a scheme before it mean the same.
        let token = authorization.split(separator: " ").last.map(String.init) ?? ""
        let account = try await self.account(of: token, call)
        let arguments = try PushwooshArguments(call, in: nil)
        let launch = try self.launch(arguments.text("message_code"), of: account)
        let figures = try await self.figures(of: launch, platforms: arguments.platforms(), call) { _ in .hour }
        var json = JSONWriter()
        figures.writeTotals(to: &json)
        return DialectReport(response: PushwooshReply.plain(json, call))
    }

    private static func account(of token: String, _ call: DialectCall) async throws -> Int64 {
        let grant = try await call.authenticator.grant(token: token)
        guard grant.scopes.contains(.report) else { throw Problem.insufficientScope(.report) }
        return grant.account
    }

    private static func launch(_ code: String, of account: Int64) throws -> LaunchID {
        guard let launch = try? LaunchID(text: code) else {
            throw DialectRefusal(.invalidArgument, "The message code must be a launch id, such as 2_4S_4HFn8RDhhmA.")
        }
        guard launch.account == account else { throw Problem.wrongAccount }
        return launch
    }

    private static func figures(
        of launch: LaunchID, platforms: Set<Int64>, _ call: DialectCall,
        width: @escaping @Sendable (_ spanMicroseconds: Int64) -> LaunchIntervals.Width
    ) async throws -> PushwooshFigures {
        let intervals = try await call.services.pool.run {
            try Reports.intervals(of: launch, includeTests: false, on: $0, width: width)
        }
        guard let intervals else { throw DialectRefusal(.unknownMessage, "Nothing is known of this message.") }
        return PushwooshFigures(intervals, platforms: platforms)
    }
}
