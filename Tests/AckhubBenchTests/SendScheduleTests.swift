import Testing

@testable import ackhub_bench

@Suite
struct SendScheduleTests {
    /// The threads' requests together are evenly spaced, and no rounding adds up.
    @Test(arguments: [(1, 1), (3, 1), (7, 3), (1_000_000, 4), (999_983, 64)] as [(UInt64, UInt64)])
    func isEven(rate: UInt64, threads: UInt64) {
        let schedules = (0..<threads).map {
            SendSchedule(start: 1_000, requestsPerSecond: rate, thread: $0, threadCount: threads)
        }
        for number in [0, 1, 2, 3, rate - 1, rate, rate + 1, 3_600 * rate] as [UInt64] {
            let schedule = schedules[Int(number % threads)]
            #expect(schedule.time(of: number / threads) == 1_000 + number * 1_000_000_000 / rate)
        }
        #expect(schedules[0].time(of: 0) == 1_000)
    }
}
