/// Writes a planned hit as the bytes of an HTTP/1.1 request.
enum DeviceRequest {
    static func bytes(of hit: PlannedHit, link: String, authority: String) -> [UInt8] {
        var target = link
        var method = "GET"
        var fields = ["Accept: */*"]
        var body = ""
        switch hit.request {
        case .get: break
        case .post:
            method = "POST"
            body = "{\"events\":1}"
            fields += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        case .image: fields = ["Accept: image/avif,image/webp,image/png,*/*;q=0.8"]
        case .repaired(let repair): target = repair.apply(to: link)
        case .damaged(let fault): target = fault.apply(to: link)
        case .head: method = "HEAD"
        case .options:
            method = "OPTIONS"
            fields += ["Origin: https://shop.example", "Access-Control-Request-Method: POST"]
        }
        switch hit.caller {
        case .device: fields.append("User-Agent: \(Callers.device(of: hit.message))")
        case .imageProxy: fields.append("User-Agent: \(Callers.imageProxy)")
        case .bot(let index): fields.append("User-Agent: \(Callers.bots[index])")
        case .prefetch(let index):
            fields += ["User-Agent: \(Callers.device(of: hit.message))", Callers.prefetchFields[index]]
        }
        let lines = ["\(method) \(target) HTTP/1.1", "Host: \(authority)"] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    /// What is wrong with the hub's answer to that hit; nil when it is right.
    static func fault(in answer: HTTPAnswer, to hit: PlannedHit) -> String? {
        let expected: (status: Int, bodyBytes: Int?) =
            switch hit.request {
            case .get, .post, .repaired, .options, .head: (204, 0)
            case .image: (200, 43)
            case .damaged: (404, nil)
            }
        guard answer.status == expected.status else {
            return "\(expected.status) was due, not \(answer.summary)"
        }
        if let bytes = expected.bodyBytes, answer.body.count != bytes {
            return "a body of \(answer.body.count) bytes, not of \(bytes)"
        }
        return nil
    }
}
