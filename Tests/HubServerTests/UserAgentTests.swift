import EventStore
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct UserAgentTests {
    private let table = UserAgentTable()

    /// Machines are known by name, without regard to case.
    @Test(arguments: [
        ("Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)", EventClass.proxy),
        ("YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", .proxy), ("Mozilla/5.0", .proxy),
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", .bot),
        ("mozilla/5.0 (compatible; BINGBOT/2.0)", .bot), ("Twitterbot/1.0", .bot),
        ("TelegramBot (like TwitterBot)", .bot),
        ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", .bot), ("AhrefsBot", .bot), ("bot", .bot),
        ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", .bot),
        ("WhatsApp/2.23.20.0", .bot), ("Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120.0.0.0 Safari/537.36", .bot),
        ("Baiduspider+(+http://www.baidu.com/search/spider.htm)", .bot),
        ("Mozilla/5.0 (compatible; Yahoo! Slurp)", .bot),
    ])
    func knowsMachines(agent: String, expected: EventClass) {
        #expect(withBytes(agent) { self.table.find($0, $1) } == expected)
    }

    /// Apps, browsers and plain HTTP libraries are people's (T17), and so is a phone whose maker ends in "bot".
    @Test(arguments: [
        "", "okhttp/4.12.0", "MyApp/42 CFNetwork/1490.0.4 Darwin/23.2.0",
        "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)",
        "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 21) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Version/17.2 Mobile Safari/604.1",
        "curl/7.88.1", "python-requests/2.31", "Java/17", "botanic garden 1.0", "Abbott App/3.2", "robots-app", "cubot",
    ])
    func leavesPeopleAlone(agent: String) {
        #expect(withBytes(agent) { self.table.find($0, $1) } == nil)
    }

    /// A name beyond the part that is looked at does not cost more time.
    @Test func looksAtAPart() {
        let agent = String(repeating: "x", count: 10_000) + "Googlebot"
        #expect(withBytes(agent) { self.table.find($0, $1) } == nil)
    }
}
