import Glibc

/// A certificate for `localhost`, made by the openssl command for one test.
package struct TestCertificate {
    package let folder: TemporaryFolder
    package let name: String

    package var file: String { self.folder.file("\(self.name).crt") }
    package var key: String { self.folder.file("\(self.name).key") }

    /// - Parameter name: the certificate's common name, to tell two apart.
    package init(_ name: String, in folder: TemporaryFolder = TemporaryFolder()) {
        self.folder = folder
        self.name = name
        let arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=\(name)", "-keyout", self.key, "-out", self.file,
        ]
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        precondition(posix_spawnp(&process, "openssl", &actions, nil, &pointers, environ) == 0)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        precondition(status == 0, "openssl made no certificate")
    }
}
