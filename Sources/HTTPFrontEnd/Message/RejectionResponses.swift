/// The front end's own answers, made once: the status of the reason, and its name for whoever looks.
struct RejectionResponses: Sendable {
    static let shared = RejectionResponses()

    private let responses: [HTTPResponse?]

    private init() {
        self.responses = HTTPRejection.allCases.map { reason in
            guard reason.status > 0 else { return nil }
            var headers = [("Content-Type", "text/plain; charset=utf-8")]
            if reason.status == 503 { headers.append(("Retry-After", "5")) }
            return HTTPResponse(
                status: reason.status, headers: headers.map { (name: $0.0, value: $0.1) },
                body: Array("\(reason.name)\n".utf8), closes: true)
        }
    }

    /// nil where the peer is not answered.
    func response(for reason: HTTPRejection) -> HTTPResponse? { self.responses[Int(reason.rawValue)] }
}
