import StrictJSON

/// One of Pushwoosh's SDKs, as it writes a call: header fields and body, byte by byte.
struct PushwooshClient: Sendable {
    /// Between the request line and Content-Length, in order.
    var fields: [String]
    /// The members of `request` beside hash, as JSON.
    var members: String
    var userAgent: String
    var origin: String?

    static let application = "12345-67890"
    static let all = [Self.iOS, Self.android, Self.web]

    /// URLSession, on a replay.
    static let iOS = PushwooshClient(
        fields: [
            "Host: hub.test", "Content-Type: application/json; charset=utf-8", "X-Retry-Count: 1",
            "Connection: keep-alive", "Accept: */*", "User-Agent: Shop/42 CFNetwork/1494.0.7 Darwin/23.4.0",
            "Authorization: Token rRkrIbGVZ6VYoLJ5YyTM", "Accept-Language: en-GB,en;q=0.9",
            "Accept-Encoding: gzip, deflate",
        ],
        members: #""application":"12345-67890","device_type":1,"hwid":"9F0A6C1E-5B7D-4E0B-8A54-D3D4C8F8E5B1","#
            + #""metaData":"{\"campaign\":\"spring\",\"url\":\"https:\/\/shop.example\"}","userId":"ann","v":"6.8.1""#,
        userAgent: "Shop/42 CFNetwork/1494.0.7 Darwin/23.4.0")

    /// HttpURLConnection with org.json.
    static let android = PushwooshClient(
        fields: [
            "Content-Type: application/json; charset=utf-8", "Authorization: Token rRkrIbGVZ6VYoLJ5YyTM",
            "User-Agent: Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240205.002)", "Host: hub.test",
            "Connection: Keep-Alive", "Accept-Encoding: gzip",
        ],
        members: #""application":"12345-67890","hwid":"5f2d0c5e0d7f4a1b","v":"6.7.19","device_type":3,"userId":"ann","#
            + #""metaData":"{\"url\":\"https:\\\/\\\/shop.example\"}""#,
        userAgent: "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240205.002)")

    /// `fetch` in Chrome's service worker.
    static let web = PushwooshClient(
        fields: [
            "Host: hub.test", "Connection: keep-alive", #"sec-ch-ua: "Chromium";v="126", "Google Chrome";v="126""#,
            "Content-Type: text/plain;charset=UTF-8", "sec-ch-ua-mobile: ?0",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
                + "Safari/537.36",
            #"sec-ch-ua-platform: "Linux""#, "Accept: */*", "Origin: https://shop.example",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty",
            "Referer: https://shop.example/pushwoosh-service-worker.js",
            "Accept-Encoding: gzip, deflate, br, zstd", "Accept-Language: en-GB,en;q=0.9",
        ],
        members: #""application":"12345-67890","hwid":"d1c5c1f7e2a04fd2","userId":"d1c5c1f7e2a04fd2","device_type":11,"#
            + #""device_model":"Chrome 126","timezone":10800,"language":"en","v":"3.45.1","metaData":{}"#,
        userAgent:
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        origin: "https://shop.example")

    func request(_ method: String, hash: String) -> [UInt8] {
        let body = #"{"request":{\#(self.members),"hash":"\#(hash)"}}"#
        return Self.request("/json/1.3/\(method)", self.fields, body: Array(body.utf8))
    }

    static func request(_ path: String, _ fields: [String], body: [UInt8]) -> [UInt8] {
        let lines = ["POST \(path) HTTP/1.1"] + fields + ["Content-Length: \(body.count)"]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

extension RunningHub {
    /// A call of Pushwoosh's API with a body as given.
    func pushwoosh(
        _ path: String, _ body: String, fields: [String] = ["Content-Type: application/json"]
    ) async throws -> PushwooshAnswer {
        try await self.pushwoosh(
            bytes: PushwooshClient.request(path, ["Host: hub.test"] + fields, body: Array(body.utf8)))
    }

    /// These bytes on a connection of their own.
    func pushwoosh(bytes: [UInt8]) async throws -> PushwooshAnswer {
        let port = self.publicPort
        let response = try await onThread {
            let connection = try DeviceConnection(port: port)
            try connection.send(bytes)
            return try connection.read()
        }
        return PushwooshAnswer(response: response, json: try JSONValue(parsing: response.body.span.bytes))
    }
}

/// An answer of Pushwoosh's API: always JSON.
struct PushwooshAnswer: Sendable {
    var response: DeviceResponse
    var json: JSONValue

    /// HTTP status and `status_code`.
    var codes: [Int64] { [Int64(self.response.status), self.json["status_code"]?.int64 ?? -1] }

    /// What no answer may do to a client: lack the code, hold a base URL, lack a body.
    var isHarmless: Bool {
        self.json["status_code"]?.int64 != nil && self.json["status_message"]?.text?.isEmpty == false
            && self.json["response"] != nil && self.json["base_url"] == nil && self.response.status != 429
    }
}
