import CLinux
import CommandLineOptions
import Glibc
import HTTPFrontEnd

/// A plain connection of its own, for work that is no load: nothing is shared and nothing is timed.
final class LoadSocket {
    private let descriptor: Int32

    /// Begins to connect.
    ///
    /// - Throws: for `https`, which this does not speak, and when the system refuses.
    init(_ url: LoadURL) throws(CommandError) {
        guard !url.isTLS else { throw CommandError("this command speaks plain HTTP only") }
        self.descriptor = clinux_tcp_socket(url.address.family)
        guard self.descriptor >= 0 else { throw Self.error("no socket") }
        let result = url.address.withSystemAddress { connect(self.descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { throw Self.error("no connection to \(url.authority)") }
    }

    deinit { close(self.descriptor) }

    /// Waits until it can be read or, if wanted, written.
    ///
    /// - Throws: when it can't until that monotonic time.
    func wait(toWrite: Bool, until deadline: UInt64) throws(CommandError) {
        var entry = pollfd(fd: self.descriptor, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
        while true {
            let now = MonotonicClock.now()
            guard now < deadline else { throw CommandError("the server did not answer in time") }
            let count = poll(&entry, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw Self.error("cannot wait") }
        }
    }

    /// Bytes taken; 0 when there is no room.
    func write(_ bytes: ArraySlice<UInt8>) throws(CommandError) -> Int {
        let count = bytes.withUnsafeBytes { send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw Self.error("the connection failed") }
        return 0
    }

    /// Bytes that came; 0 at the end, nil when there is nothing yet.
    func read(into buffer: inout [UInt8]) throws(CommandError) -> Int? {
        let count = buffer.withUnsafeMutableBytes { recv(self.descriptor, $0.baseAddress, $0.count, 0) }
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw Self.error("the connection failed") }
        return nil
    }

    private static func error(_ what: String) -> CommandError {
        CommandError("\(what): \(String(cString: strerror(errno)))")
    }
}
