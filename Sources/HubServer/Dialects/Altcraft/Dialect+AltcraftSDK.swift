import EventStore
import HTTPFrontEnd
import MessageIDs

extension Dialect {
    /// Altcraft's mobile SDKs for Android, iOS and React Native: they report to two paths of their own and never call a
    /// hub link.
    ///
    /// The SDKs delete an event on any 4xx and keep it on a 5xx, so a 4xx says that no repeat could do better. Every
    /// answer is JSON: on a 2xx with another body the Android SDK's converter throws, and the event is sent again.
    static let altcraftSDK = Dialect(
        name: .msdk,
        routes: EventKind.allCases.flatMap { kind in
            let path = AltcraftSDKReport.path(of: kind)
            return [
                DialectRoute(.post, path) { try await AltcraftSDKReport.read(kind, $0) },
                DialectRoute(.post, path + "/") { try await AltcraftSDKReport.read(kind, $0) },
            ]
        } + Self.otherCalls,
        answer: { refusal, _ in AltcraftAnswer(refusal).response() })

    /// What else the SDKs call at the same address: the hub does none of it. A plain 404 ends the matter; on a 5xx they
    /// would ask for ever.
    private static let otherCalls = [
        "/subscription/push/subscribe", "/subscription/push/update", "/subscription/push/unsuspend",
        "/subscription/push/status", "/event/post", "/profile/update",
    ].flatMap { path in
        [HTTPMethod.get, .post].flatMap { method in
            [path, path + "/"].map { DialectRoute(method, $0) { _ in DialectReport(response: Self.notServed) } }
        }
    }

    private static let notServed = AltcraftAnswer(
        DialectRefusal(.unknownMessage, "The hub serves reports of push events only.")
    ).response()
}
