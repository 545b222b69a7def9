/// Where an event of a launch counts in time: see the comment in sql/migrations on `launch_bucket`.
enum BucketTime {
    private static let minute: Int64 = 60_000_000
    private static let quarterHour = 15 * minute
    private static let day = 24 * 60 * minute

    /// Begin of the bucket, UNIX microseconds: of a minute within 24 hours of the launch, of 15 minutes outside.
    static func begin(of at: Int64, launchedAt: Int64) -> Int64 {
        let width = abs(at - launchedAt) < self.day ? self.minute : self.quarterHour
        return at - at % width
    }
}
