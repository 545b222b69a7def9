/// How far back from its own receipt a repeated report looks for the one that it repeats.
///
/// Every day looked into is a partition probed for every report. So a report looks no further than its message's send time.
enum ReportWindow {
    private static let day: Int64 = 86_400_000_000

    /// UNIX microseconds, as all here. Later a repeat counts again. Clients give up before: what they report, they report within
    /// the 28 days that FCM keeps a message and the few for which they try again.
    static let longest = 31 * day
    /// Hubs' and senders' clocks may disagree by so much. A message that was reported earlier than that before its send time
    /// comes from a sender whose clock is broken; repeats of that report, received after the send time, count again.
    static let beforeSendTime = day

    /// The receipt from which on a stored report is found.
    static func begin(receivedAt: Int64, sentAt: UInt64) -> Int64 {
        let longest = receivedAt - self.longest
        let sentAt = StoreTime(nanoseconds: sentAt).microseconds
        // A send time that is yet to come says nothing of when reports began.
        return sentAt > receivedAt ? longest : max(longest, sentAt - self.beforeSendTime)
    }
}
