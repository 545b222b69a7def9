/// Where the loader gets records from: the spool, without knowing it. Used by the loader's thread only, `release` included.
package protocol RecordSource: AnyObject {
    /// Reads up to the limits from the present position, waits up to `waitMilliseconds` for the first; the number read.
    func read(recordsMax: Int, bytesMax: Int, waitMilliseconds: Int, _ body: (RawSpan) -> Void) throws -> Int
    /// After what was read. It may go on without a record, past what holds none.
    var position: UInt64 { get }
    /// Goes to a position that `position` once gave, or to 0, the beginning. Of one that is released already, goes to the
    /// oldest that is held. Throws when it lies ahead of the end.
    func seek(to position: UInt64) throws
    /// Everything before is in the database.
    func release(upTo position: UInt64)
}
