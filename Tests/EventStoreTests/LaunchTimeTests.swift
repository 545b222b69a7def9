import MessageIDs
import TestSupport
import Testing

@testable import EventStore

/// Nanoseconds of 64 bits unsigned are kept exactly.
@Suite(.blocking)
struct LaunchTimeTests {
    /// Launches that differ by a nanosecond are two launches; the greatest time there is is one.
    @Test(arguments: [0, 1, 999, 1000, 1_772_366_400_123_456_789, UInt64.max - 1, UInt64.max])
    func launchesAreToldApartByTheNanosecond(_ launchedAt: UInt64) throws {
        let store = try Store()
        let neighbour = launchedAt == .max ? launchedAt - 1 : launchedAt + 1
        let message = Sample.message(1, launchedAt: launchedAt, sentAt: launchedAt)
        try store.load([Sample.ack(message), Sample.open(Sample.message(2, launchedAt: neighbour, sentAt: neighbour))])
        let launch = LaunchID(account: 1, campaign: 7, launchedAt: launchedAt)
        #expect(try store.row(launch) == [0, 1, 0, 0, 1, 0])
        #expect(try store.row(LaunchID(account: 1, campaign: 7, launchedAt: neighbour)) == [0, 0, 1, 1, 0, 1])
        #expect(
            try Reports.message(account: 1, key: message.messageKey, on: store.connection)?.message == message)
        #expect(
            try store.texts("select launch_id from ackhub.launch_summary where acked = 1") == [launch.text])
        #expect(try store.differences() == [])
    }
}
