import Foundation
import TestSupport

@testable import ackhub_bench

extension LoadRun {
    /// A run against a server with `count` targets of its own below `path`; no warm-up, and it ends with the requests.
    static func measure(
        _ url: LoadURL, targets path: String = "/now", count: Int = 500, requests: Int? = nil,
        settleSeconds: Int? = nil, _ change: (inout LoadPlan) -> Void = { _ in }
    ) throws -> RunOutcome {
        let folder = TemporaryFolder()
        let text = (0..<count).map { "\(path)/\($0)\n" }.joined()
        try text.write(toFile: folder.file("targets"), atomically: false, encoding: .utf8)
        var plan = LoadPlan(url: url)
        plan.connections = 4
        plan.warmUpNanoseconds = 0
        plan.durationNanoseconds = 60_000_000_000
        plan.requestsMax = requests ?? count
        change(&plan)
        var run = LoadRun(plan: plan, source: .targets(path: folder.file("targets")))
        run.settleSeconds = settleSeconds
        return try run.run()
    }
}
