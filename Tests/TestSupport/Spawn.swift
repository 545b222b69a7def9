import CLinux
import Glibc

package struct ChildProcessError: Error, CustomStringConvertible {
    var text: String
    package var description: String { self.text }
}

/// Both ends close on exec, so that no other child keeps the pipe open.
func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard clinux_pipe(&ends) == 0 else { fatalError("pipe: errno \(errno)") }
    return (ends[0], ends[1])
}

/// posix_spawnp with `standard` as descriptors 0, 1, 2, all others closed, and signals as a fresh process has them.
/// Returns an errno.
func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String]?, _ standard: [Int32], inNewSession: Bool,
    _ pid: inout pid_t
) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A number below 3 would be overwritten by an earlier dup2: pipes are made when 0, 1 and 2 are taken.
    for (number, descriptor) in standard.enumerated() {
        precondition(descriptor > 2)
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    clinux_spawn_close_from(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | (inNewSession ? newSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let variables = environment?.map { "\($0.key)=\($0.value)" }
    return withCStrings([path] + arguments) { arguments in
        guard let variables else { return posix_spawnp(&pid, path, &actions, &attributes, arguments, environ) }
        return withCStrings(variables) { posix_spawnp(&pid, path, &actions, &attributes, arguments, $0) }
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
