import CommandLineOptions
import Glibc

/// The number of files that this process may hold open.
enum DescriptorLimit {
    /// What is open beside the connections: standard files, epoll, /proc, the database.
    private static let others: rlim_t = 64

    /// Raises the soft limit where the hard one allows it.
    ///
    /// - Throws: when so many connections are not allowed.
    static func raise(toHold connections: Int) throws(CommandError) {
        let needed = rlim_t(connections) + Self.others
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
        let allowed = limit.rlim_max
        limit.rlim_cur = needed
        guard needed <= allowed, setrlimit(resource, &limit) == 0 else {
            throw CommandError(
                "\(connections) connections are too many: this process may open \(allowed) files (ulimit -n)")
        }
    }
}
