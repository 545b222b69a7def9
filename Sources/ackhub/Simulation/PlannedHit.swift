import EventStore
import MessageIDs

/// One request that a simulated client will make.
struct PlannedHit: Sendable, Equatable {
    /// Seconds from the start of the play.
    var at: Double
    /// Index in the plan's messages.
    var message: Int
    var kind: EventKind
    var request: Request
    var caller: Caller
    var answer: Answer

    /// How the link is called.
    enum Request: Sendable, Equatable {
        case get, post, image
        /// What travel did to the link that must be tolerated: it counts.
        case repaired(LinkRepair)
        /// What must be refused with 404.
        case damaged(LinkFault)
        /// Answered but not counted.
        case head, options
    }

    /// Who calls; fixes the event's class.
    enum Caller: Sendable, Equatable {
        /// The app or browser that the message went to.
        case device
        case imageProxy
        /// By index in `Callers.bots`.
        case bot(Int)
        /// By index in `Callers.prefetchFields`.
        case prefetch(Int)

        var eventClass: EventClass {
            switch self {
            case .device: .human
            case .imageProxy: .proxy
            case .bot: .bot
            case .prefetch: .prefetch
            }
        }
    }

    /// What becomes of the answer.
    enum Answer: Sendable, Equatable {
        case read
        /// It arrives, but the client acts as if it had not: it counts, and the same hit is sent again.
        case lost
        /// The client closes the connection without reading: it may count, and the same hit is sent again.
        case abandoned
    }

    /// Whether an accepted answer means one more event.
    var isEvent: Bool {
        switch self.request {
        case .get, .post, .image, .repaired: true
        case .damaged, .head, .options: false
        }
    }
}

/// The clients of the simulation by their header fields.
enum Callers {
    private static let devices = [
        "okhttp/4.12.0",
        "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240205.004)",
        "Shop/412 CFNetwork/1494.0.7 Darwin/23.4.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/#",
        "Mozilla/5.0 (Linux; Android 13; SM-#) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile "
            + "Safari/537.36",
    ]

    /// The user agent of the device that got a message. No two browsers are alike, as in life: one that opened five links
    /// within a second would be a scanner, and all of them call from one address here.
    static func device(of message: Int) -> String {
        self.devices[message % self.devices.count].replacing("#", with: "A\(message)")
    }

    static let imageProxy =
        "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"
    static let bots = [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "TelegramBot (like TwitterBot)",
    ]
    static let prefetchFields = ["Sec-Purpose: prefetch", "Purpose: prefetch", "X-Purpose: preview", "X-Moz: prefetch"]
}
