import Testing

@testable import HTTPFrontEnd

@Suite struct MailboxTests {
    private final class Piece: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    /// Elements come out in order, whatever the pace of either side.
    @Test(arguments: [1, 2, 3, 7]) func keepsTheOrder(atATime count: Int) {
        var mailbox = Mailbox<Int>()
        var (put, taken) = (0, 0)
        #expect(mailbox.popFirst() == nil)
        for round in 0..<200 {
            for _ in 0..<(round % 5) {
                mailbox.append(put)
                put += 1
            }
            for _ in 0..<count {
                guard let next = mailbox.popFirst() else { break }
                #expect(next == taken)
                taken += 1
            }
            #expect(mailbox.isEmpty == (taken == put))
        }
    }

    /// What was taken is gone, and its places are, although one element is always left.
    @Test func letsGoOfWhatWasTaken() {
        var mailbox = Mailbox<Piece>()
        mailbox.append(Piece(0))
        weak var taken: Piece?
        for number in 1...10_000 {
            mailbox.append(Piece(number))
            taken = mailbox.popFirst()
            #expect(taken == nil)
            #expect(mailbox.places <= 3)
        }
        #expect(mailbox.popFirst()?.number == 10_000)
        #expect(mailbox.isEmpty)
    }

    /// Only the last element that was not taken yet can be added to.
    @Test func updatesOnlyWhatIsThere() {
        var mailbox = Mailbox<Int>()
        #expect(!mailbox.updateLast { _ in true })
        mailbox.append(1)
        mailbox.append(2)
        #expect(
            mailbox.updateLast { last in
                last += 40
                return true
            })
        #expect(!mailbox.updateLast { _ in false })
        #expect(mailbox.popFirst() == 1)
        #expect(mailbox.popFirst() == 42)
        #expect(!mailbox.updateLast { _ in true })
    }
}
