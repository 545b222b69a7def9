import StrictJSON
import Testing

@testable import PushPayloads

/// What counts as a web address, wherever a message has one: in links, images and icons.
@Suite struct WebAddressTests {
    private enum Field { case link, image, icon }

    private static func accepts(_ text: String, as field: Field) -> Bool {
        let value =
            switch field {
            case .link: try? FieldValue.link(.string(text))
            case .image: try? FieldValue.imageURL(.string(text))
            case .icon: try? FieldValue.icon(.string(text))
            }
        return value?.utf8.elementsEqual(text.utf8) == true
    }

    @Test(arguments: [
        "https://", "https:", "https:x", "https:/x", "https:x.example", "https:///x", "https://?x", "https://#x",
        "https://[", "https://[]/", "https://[::zz]/", "https://[1.2.3.4]/", "https://a:port/", "https://a:-1/",
        "https://a:0/", "https://a:65536/", "https://a:99999999999999999999/", "https://:443/", "https://u@/x",
        "https://u:p@/x", "https://u@:80/x", "https://a@b@c/", "https://a:1:2/", "https://%zz", "https://%zz/x",
        "https://a%2fb/", "https://a%00/", "https://a%40b/", "https://.", "https://.../", "https://a..b/",
        "https://.a/", "https://ex\u{202E}ample.com/", "https://ex\u{200B}ample.com/", "https://ex\u{200D}ample.com/",
        "https://ex\u{FEFF}ample.com/", "https://ex\u{AD}ample.com/", "https://ex\u{2066}ample.com/",
        "https://u\u{200B}@a.example/", "https://a.example:80\u{200B}/", "https://a.example\u{200B}", "https://a,b/",
        "https://a／b/", "https://a b/", "https://a.example/a b", "https://a.example/\u{2028}",
        "https://a.example/\"", "https://a.example/\\", "https://\\a.example/",
    ])
    func refusesWhatHasNoSoundHost(_ address: String) {
        #expect(!Self.accepts(address, as: .link))
        #expect(!Self.accepts(address, as: .image))
        #expect(!Self.accepts(address, as: .icon) || !address.contains("://"))
        for scheme in ["http", "HTTP", "hTTpS"] {
            #expect(!Self.accepts(scheme + address.dropFirst("https".count), as: .link))
        }
    }

    @Test(arguments: [
        "https://a.example", "https://a.example/", "https://a", "https://a.example?q", "https://a.example#f",
        "https://a.example:8443/x", "https://a.example:/x", "https://a.example.", "https://127.0.0.1/x",
        "https://[2001:db8::1]/x", "https://[::1]:8080/", "https://a_b.example/", "HTTPS://Example.com/a?b='c'",
        "https://u:p@a.example/", "https://münchen.example/i.png", "https://xn--mnchen-3ya.example/",
        "https://пример.рф/путь?ключ=значение#метка", "https://語.example/語/e\u{301}", "https://😀.example/",
        "https://a.example/é/%zz?[]=%", "https://a.example/a:b@c/d", "https://a.example/?u=https://b@c@d:x",
    ])
    func acceptsASoundOne(_ address: String) {
        #expect(Self.accepts(address, as: .link))
        #expect(Self.accepts(address, as: .image))
        #expect(Self.accepts(address, as: .icon))
        let plain = "http" + address.dropFirst("https".count)
        #expect(Self.accepts(plain, as: .link))
        #expect(Self.accepts(plain, as: .icon))
        #expect(!Self.accepts(plain, as: .image))
    }

    /// A deeplink is the app's: only its scheme is looked at.
    @Test(arguments: [
        "app://", "app:x", "app:///x", "app://?x", "tel:+1", "shop://a:port/", "httpx://%zz", "x-a+b.c:1",
    ])
    func leavesOtherSchemesAsTheyAre(_ link: String) {
        #expect(Self.accepts(link, as: .link))
    }
}
