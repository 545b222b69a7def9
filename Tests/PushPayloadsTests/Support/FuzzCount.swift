import Foundation

/// How many random messages a fuzz test makes: `ACKHUB_FUZZ_MESSAGES`, over all providers of that test.
enum FuzzCount {
    private static let messages =
        ProcessInfo.processInfo.environment["ACKHUB_FUZZ_MESSAGES"].flatMap { Int($0) } ?? 10_000

    static func each(of providers: [String]) -> Int { Self.messages / providers.count }
}
