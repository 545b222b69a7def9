import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct WakeSignalTests {
    /// A call before sleeping keeps the sleeper awake; calls are taken once, together.
    @Test func callBeforeSleepingIsSeen() throws {
        let signal = try #require(WakeSignal())
        signal.call(.handler)
        signal.call(.handler)
        signal.call(.inbox)
        #expect(!signal.prepareToSleep())
        #expect(signal.takeCalls() == [.handler, .inbox])
        #expect(signal.takeCalls() == [])
        #expect(signal.prepareToSleep())
        signal.call(.inbox)
        #expect(signal.takeCalls() == [.inbox])
    }
}
