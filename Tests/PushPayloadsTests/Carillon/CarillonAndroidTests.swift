import StrictJSON
import Testing

@testable import PushPayloads

@Suite struct CarillonAndroidTests {
    private func rendered(_ message: String) throws -> Rendered { try Rendered("carillon-android", message) }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8).span.bytes) }

    @Test func customDataAreStrings() throws {
        let data = try #require(
            try self.rendered(
                #"{"title":"T","data":{"s":"1","n":1.50,"e":-1E3,"b":true,"f":false,"j":"{\"a\":[1]}"}}"#)[
                    "message", "data"])
        let expected = [("s", "1"), ("n", "1.50"), ("e", "-1E3"), ("b", "true"), ("f", "false"), ("j", #"{"a":[1]}"#)]
        for (name, text) in expected { #expect(data[name] == .string(text)) }
        #expect(data.members?.allSatisfy { $0.value.text != nil } == true)
    }

    @Test func theTokenIsTheRecipients() throws {
        #expect(try self.rendered(#"{"title":"T"}"#)["message", "token"] == .string("token-1"))
    }

    @Test(arguments: [
        (#"{"title":"T"}"#, #"{"priority":"HIGH","ttl":"259200s","notification":{"sound":"default"}}"#),
        (
            #"{"body":"B","priority":"normal","ttl":0,"collapse_id":"c","sound":"s","badge":7}"#,
            #"{"collapse_key":"c","priority":"NORMAL","ttl":"0s","notification":{"sound":"s","notification_count":7}}"#
        ),
        (
            #"{"title":"T","image":"https://a.example/i"}"#,
            #"{"priority":"HIGH","ttl":"259200s","notification":{"sound":"default","image":"https://a.example/i"}}"#
        ),
        // Raw options win conflicts and keep the rest.
        (
            #"{"title":"T","android":{"notification":{"channel_id":"orders"}}}"#,
            #"{"priority":"HIGH","ttl":"259200s","notification":{"sound":"default","channel_id":"orders"}}"#
        ),
        (
            #"{"title":"T","ttl":60,"android":{"ttl":"3600s","priority":"NORMAL","notification":{"sound":"o"},"x":[1]}}"#,
            #"{"priority":"NORMAL","ttl":"3600s","notification":{"sound":"o"},"x":[1]}"#
        ),
        (
            #"{"title":"T","android":{"notification":null,"data":null}}"#,
            #"{"priority":"HIGH","ttl":"259200s","notification":null}"#
        ),
        // Without a text there is a notification only if the sender makes one.
        (#"{"subtitle":"S","badge":1,"apns":{"a":1}}"#, #"{"priority":"HIGH","ttl":"259200s"}"#),
        (
            #"{"apns":{"a":1},"android":{"notification":{"title":"O"}}}"#,
            #"{"priority":"HIGH","ttl":"259200s","notification":{"sound":"default","title":"O"}}"#
        ),
    ])
    func theConfigurationIsGeneratedAndThenTheSenders(_ message: String, _ android: String) throws {
        #expect(try self.rendered(message)["message", "android"] == self.json(android))
    }

    @Test(arguments: ["0s", "3600s", "3.5s", "2419200s", "2419200.000s", "1.123456789s", "007s"])
    func anAndroidTTLOverrideIsWrittenAsItCame(_ ttl: String) throws {
        let rendered = try self.rendered(#"{"title":"T","ttl":60,"android":{"ttl":"\#(ttl)"}}"#)
        #expect(rendered["message", "android", "ttl"] == .string(ttl))
    }

    @Test(arguments: [
        (#"{"title":"T","body":"B","subtitle":"S"}"#, #"{"title":"T","body":"B"}"#),
        (#"{"body":"B"}"#, #"{"body":"B"}"#),
        (#"{"title":"T","body":""}"#, #"{"title":"T"}"#),
    ])
    func titleAndBodyAreTheNotification(_ message: String, _ notification: String) throws {
        #expect(try self.rendered(message)["message", "notification"] == self.json(notification))
    }

    @Test func anOverrideForAPNsAloneIsDataOnly() throws {
        let message = try self.rendered(#"{"subtitle":"S","apns":{"aps":{"alert":"raw"}}}"#)["message"]
        #expect(message?.members?.map(\.name) == ["token", "data", "android"])
    }

    /// FCM replaces the message's data with these, so they are strings too.
    @Test func androidSpecificDataAreStrings() throws {
        let rendered = try self.rendered(
            #"{"title":"T","data":{"a":1},"android":{"data":{"n":1,"b":false,"s":"x","aps":"free here"}}}"#)
        let data = try #require(rendered["message", "android", "data"])
        #expect(data["n"] == .string("1"))
        #expect(data["b"] == .string("false"))
        #expect(data["s"] == .string("x"))
        #expect(data["aps"] == .string("free here"))
        #expect(data["a"] == nil)
        #expect(rendered["message", "data", "a"] == .string("1"))
    }

    @Test func nothingGoesBesideThePayload() throws {
        #expect(try self.rendered(#"{"title":"T","ttl":0,"collapse_id":"c"}"#).delivery == nil)
    }
}
