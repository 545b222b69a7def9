import EventStore
import HTTPFrontEnd
import MessageIDs

extension Dialect {
    /// Pushwoosh's Remote API 1.3, as far as devices report events by it and senders read a message's statistics.
    ///
    /// Sources: the SDKs for iOS (f8c5cc8), Android (0444ba6) and the web (d1dce7f);
    /// docs.pushwoosh.com/developer/api-reference, "Device API", "Statistics API v1" and "Scheduled requests".
    static let pushwoosh = Dialect(
        name: .pushwoosh,
        routes: [
            DialectRoute(.post, "/json/1.3/pushStat") { try PushwooshEvents.read($0, .open) },
            DialectRoute(.post, "/json/1.3/messageDeliveryEvent") { try PushwooshEvents.read($0, .ack) },
            DialectRoute(.post, "/json/1.3/getMsgStats", PushwooshStatistics.schedule),
            DialectRoute(.post, "/json/1.3/getMsgPlatformsStats", PushwooshStatistics.schedulePlatforms),
            DialectRoute(.post, "/json/1.3/getResults", PushwooshStatistics.results),
            // The hub may be the SDKs' base URL: what else they call there is answered in a form that they read too.
            DialectRoute(.post, "/json/1.3/{method}") { PushwooshReply.unknownMethod($0) },
            DialectRoute(.options, "/json/1.3/{method}") { PushwooshReply.preflight($0) },
        ],
        answer: { refusal, call in
            switch refusal.reason {
            case .invalidArgument, .unknownMessage: PushwooshReply.error(refusal, status: 200, code: 210, call)
            default: PushwooshReply.error(refusal, call)
            }
        })

    /// Pushwoosh's Statistics API v2 (docs.pushwoosh.com/developer/api-reference/statistics-api): the same figures, but
    /// errors are told by the HTTP status.
    static let pushwooshVersion2 = Dialect(
        name: .pushwoosh,
        routes: [
            DialectRoute(
                .post, "/api/v2/statistics/messages/totalsByIntervals", PushwooshStatistics.totalsByIntervals)
        ],
        answer: { refusal, call in
            switch refusal.reason {
            case .invalidArgument: PushwooshReply.error(refusal, status: 400, code: 400, call)
            case .unknownMessage: PushwooshReply.error(refusal, status: 404, code: 404, call)
            default: PushwooshReply.error(refusal, call)
            }
        })
}
