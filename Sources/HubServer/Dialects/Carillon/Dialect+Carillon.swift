import EventStore
import HTTPFrontEnd

extension Dialect {
    /// Carillon's mobile SDKs: devices report what became of a notification by its `delivery_id`.
    ///
    /// The SDKs keep a batch until a 2xx and send it again on no answer, 429 and 5xx; on another 4xx they drop all of it. So
    /// no event spoils its batch, and a 4xx says that no repeat could do better.
    ///
    /// Sources: the SDKs for Swift (08cb441, 579c60e) and Kotlin (667a582, 06e3dbd); the types of Carillon's API in its
    /// command line (280b436).
    static let carillon = Dialect(
        name: .carillon,
        routes: [DialectRoute(.post, "/v1/events", CarillonEvents.read)],
        answer: { refusal, _ in CarillonEvents.answer(refusal) })
}
