/// Owned by one loop; every call comes on that loop's thread.
package protocol HTTPLoopHandler: AnyObject {
    /// A request whose head is complete and well-formed. `bytes` is the head: the ranges of `head` point into it, and it
    /// is gone when the call returns.
    func receive(_ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID)
        -> HTTPReply

    /// Every ready socket of this turn was read: the moment to submit a group.
    func turnEnded(_ loop: HTTPLoop)

    /// `HTTPLoop.wake` was called since the last turn.
    func woken(_ loop: HTTPLoop)
}
