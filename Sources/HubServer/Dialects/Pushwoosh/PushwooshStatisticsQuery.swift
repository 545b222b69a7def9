import MessageIDs

/// What a version 1 statistic is asked of. Its text is the `request_id`: the hub keeps no list of scheduled requests, so any
/// hub of a deployment answers for any other.
///
/// The text is the launch id, then a `-` and a number for each platform: `2_4S_4HFn8RDhhmA-1-3`.
struct PushwooshStatisticsQuery: Sendable, Equatable {
    var launch: LaunchID
    /// Empty for all.
    var platforms: Set<Int64>

    init(launch: LaunchID, platforms: Set<Int64>) {
        self.launch = launch
        self.platforms = platforms
    }

    /// nil for what `text` does not make.
    init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let launch = try? LaunchID(text: String(parts[0])), parts.count <= PushwooshArguments.platformsMax + 1
        else {
            return nil
        }
        self.init(launch: launch, platforms: Set(parts.dropFirst().compactMap { Int64($0) }))
        guard self.text == text, self.platforms.allSatisfy(PushwooshArguments.platformNumbers.contains) else {
            return nil
        }
    }

    var text: String {
        self.launch.text + self.platforms.sorted().map { "-\($0)" }.joined()
    }
}
