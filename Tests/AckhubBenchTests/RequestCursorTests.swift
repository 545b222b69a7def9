import Testing

@testable import ackhub_bench

@Suite
struct RequestCursorTests {
    private func cursor(_ share: Range<Int>) -> RequestCursor {
        var list = RequestList(authority: "h", closes: false)
        for index in 0..<10 { list.append(Array("/\(index)".utf8), index % 2 == 0 ? .ack : .open) }
        return RequestCursor(list, share: share)
    }

    /// It takes its share in order, and begins again.
    @Test func takesItsShareInTurn() {
        var cursor = self.cursor(3..<6)
        #expect((0..<7).map { _ in cursor.take() } == [3, 4, 5, 3, 4, 5, 3])
    }

    /// Answers, links and unknown requests are told apart, whatever the order in which they happen to a link.
    @Test func countsLinksAndRequests() {
        var cursor = self.cursor(0..<10)
        var tallies = [KindTally](repeating: KindTally(), count: 3)
        cursor.succeeded(0, &tallies)
        cursor.succeeded(0, &tallies)
        cursor.becameUnknown(0, &tallies)
        cursor.becameUnknown(2, &tallies)
        cursor.becameUnknown(2, &tallies)
        cursor.becameUnknown(4, &tallies)
        cursor.succeeded(4, &tallies)
        cursor.becameUnknown(1, &tallies)
        #expect(tallies[0] == KindTally(answered: 3, distinctAnswered: 2, unknown: 4, distinctUnknown: 1))
        #expect(tallies[1] == KindTally(answered: 0, distinctAnswered: 0, unknown: 1, distinctUnknown: 1))
    }
}
