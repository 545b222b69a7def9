import Foundation
import Synchronization

/// A shell that makes, starts and stops one PostgreSQL in `folder` on command, and that stops it and removes `folder` when
/// its standard input ends: at `deinit`, or when the test process ends or is killed.
final class Supervisor: Sendable {
    let folder: String
    private let shell: ChildProcess
    private let replies = Mutex(0)

    init(folder: String) throws {
        self.folder = folder
        self.shell = try ChildProcess("/bin/sh", ["-c", Self.script, "supervisor", folder], inNewSession: true)
    }

    deinit {
        self.shell.closeInput()
        _ = self.shell.wait(deadline: .seconds(60))
    }

    /// Runs one command and waits for its end.
    func command(_ line: String) throws {
        try self.replies.withLock { replies in
            replies += 1
            self.shell.write(line + "\n")
            var lines: [Substring] = []
            let isAnswered = waitUntil(deadline: .seconds(120)) {
                lines = self.shell.standardOutput.split(separator: "\n")
                return lines.count >= replies || !self.shell.isRunning
            }
            guard isAnswered, lines.count >= replies, lines[replies - 1] == "0" else {
                throw ChildProcessError(
                    text: "PostgreSQL does not \(line):\n\(self.shell.standardError)\(self.logTail)")
            }
        }
    }

    private var logTail: String {
        let log = (try? String(contentsOfFile: self.folder + "/server.log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").suffix(10).joined(separator: "\n")
    }

    /// One line in is one command, one line out its exit status. initdb and postgres refuse root.
    private static let script = """
        trap '' HUP INT TERM
        folder=$1
        export LC_ALL=C
        cd /
        as=
        if [ "$(id -u)" = 0 ]; then
            chown -R postgres "$folder"
            as='setpriv --reuid=postgres --regid=postgres --init-groups --'
        fi
        for bin in "$(pg_config --bindir 2>/dev/null)" $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
            if [ -x "$bin/initdb" ]; then break; fi
        done
        control() { $as "$bin/pg_ctl" -D "$folder/data" -w -t 100 "$@" </dev/null >/dev/null; }
        initialize() { $as "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-locale -N </dev/null >/dev/null; }
        copy() {
            cp -a "$1/data" "$folder/data" && echo "include '$folder/settings.conf'" >>"$folder/data/postgresql.conf"
        }
        certify() {
            $as openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \\
                -addext subjectAltName=DNS:localhost -keyout "$folder/server.key" -out "$folder/server.crt" \\
                </dev/null >/dev/null 2>&1 && $as chmod 600 "$folder/server.key"
        }
        while read -r command argument; do
            case $command in
            init) initialize ;;
            copy) copy "$argument" ;;
            certify) certify ;;
            start) control -l "$folder/server.log" start ;;
            stop) control -m "$argument" stop ;;
            esac
            echo $?
        done
        if [ -e "$folder/data/postmaster.pid" ]; then control -m immediate stop 2>/dev/null; fi
        rm -rf "$folder"
        """
}
