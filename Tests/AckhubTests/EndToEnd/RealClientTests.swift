import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// The clients that people really use get proper answers, and what they sent is counted.
///
/// Each test needs its program and is skipped without it; `deploy/test.sh` installs them all.
@Suite(.blocking)
struct RealClientTests {
    /// curl: 204 without a body, the image for `.gif`, 404 for a damaged link, an HTTP/1.0 client too.
    @Test(.enabled(if: isInstalled("curl"))) func curl() throws {
        let play = try Play()
        let hit = ["-s", "-w", "%{http_code} %{size_download}", play.url(play.acks[0])]
        #expect(try play.output("curl", hit) == "204 0")
        #expect(try play.output("curl", ["-s0", "-w", "%{http_code}", play.url(play.acks[0])]) == "204")
        let image = ["-s", "-o", "/dev/null", "-w", "%{http_code} %{content_type} %{size_download}"]
        #expect(try play.output("curl", image + [play.url(play.opens[0]) + ".gif"]) == "200 image/gif 43")
        let damaged = ["-s", "-o", "/dev/null", "-w", "%{http_code}", play.url(String(play.acks[0].dropLast()))]
        #expect(try play.output("curl", damaged) == "404")
        #expect(try play.hub.waitForEvents(acks: 2, opens: 1))
    }

    /// wrk: every answer is a 2xx and no socket fails.
    @Test(.enabled(if: isInstalled("wrk"))) func wrk() throws {
        let play = try Play()
        let output = try play.output("wrk", ["-t1", "-c8", "-d1s", play.url(play.opens[0])])
        #expect(output.contains("Requests/sec"))
        #expect(!output.contains("Non-2xx") && !output.contains("Socket errors"), "\(output)")
    }

    /// ab -k speaks HTTP/1.0 with keep-alive: every connection is kept, every request counts.
    @Test(.enabled(if: isInstalled("ab"))) func apacheBench() throws {
        let play = try Play()
        let output = try play.output("ab", ["-q", "-k", "-n", "1000", "-c", "8", play.url(play.acks[0])])
        for line in ["Complete requests:      1000", "Failed requests:        0", "Keep-Alive requests:    1000"] {
            #expect(output.contains(line), "\(output)")
        }
        #expect(!output.contains("Non-2xx"))
        #expect(try play.hub.waitForEvents(acks: 1_000, opens: 0))
    }

    /// h2load in HTTP/1.1, pipelining four deep.
    @Test(.enabled(if: isInstalled("h2load"))) func h2load() throws {
        let play = try Play()
        let output = try play.output("h2load", ["--h1", "-n", "1000", "-c", "8", "-m", "4", play.url(play.acks[0])])
        #expect(output.contains("1000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(output)")
        #expect(output.contains("status codes: 1000 2xx"), "\(output)")
        #expect(try play.hub.waitForEvents(acks: 1_000, opens: 0))
    }

    /// Python's http.client: several methods over one connection, which stays usable after each.
    @Test(.enabled(if: isInstalled("python3"))) func pythonHTTPClient() throws {
        let play = try Play()
        let script = """
            import http.client, sys
            port, ack = int(sys.argv[1]), sys.argv[2]
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            seen = []
            for method, path, body in [("GET", ack, None), ("HEAD", ack, None), ("POST", ack, b"x" * 1000),
                                       ("OPTIONS", ack, None), ("PUT", ack, b"x"), ("GET", ack + "x", None)]:
                connection.request(method, path, body)
                response = connection.getresponse()
                response.read()
                seen.append(str(response.status))
            print(" ".join(seen))
            """
        let statuses = try play.output("python3", ["-c", script, "\(play.hub.port)", play.acks[0]])
        #expect(statuses == "204 204 204 204 405 404")
        #expect(try play.hub.waitForEvents(acks: 2, opens: 0))
    }

    /// A browser: a page of another origin may call the links, and an image element shows the open link's image.
    @Test(.enabled(if: isInstalled("chromium"))) func browser() throws {
        let play = try Play()
        let page = play.folder.file("page.html")
        let html = """
            <!doctype html><title>waiting</title><img id="open" src="\(play.url(play.opens[0])).gif"><script>
            const image = document.getElementById("open");
            const shown = image.decode().then(() => image.naturalWidth + "x" + image.naturalHeight, () => "no image");
            Promise.all([fetch("\(play.url(play.acks[0]))").then(answer => answer.status, error => "" + error), shown])
                .then(results => document.title = results.join(" "));
            </script>
            """
        try html.write(toFile: page, atomically: true, encoding: .utf8)
        let output = try play.output(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom",
                "--virtual-time-budget=10000",
                // A headless browser says that it is one, and its opens are a bot's.
                "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0",
                "--user-data-dir=\(play.folder.file("profile"))", "file://\(page)",
            ])
        #expect(output.contains("<title>204 1x1</title>"), "\(output)")
        #expect(try play.hub.waitForEvents(acks: 1, opens: 1))
    }

    static func isInstalled(_ program: String) -> Bool {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/"].contains { access($0 + program, X_OK) == 0 }
    }

    /// A hub with two messages, and programs let loose on it.
    private struct Play {
        let folder = TemporaryFolder()
        let deployment: Deployment
        let hub: TestHub
        let acks: [String]
        let opens: [String]

        init() throws {
            self.deployment = try Deployment()
            self.hub = self.deployment.makeHub()
            try self.hub.start()
            let paths = try self.deployment.mintPaths(count: 2)
            self.acks = paths.filter { $0.hasPrefix("/ack/") }
            self.opens = paths.filter { $0.hasPrefix("/open/") }
        }

        func url(_ path: String) -> String { self.hub.url + path }

        /// What the program prints; it must end well.
        func output(_ program: String, _ arguments: [String]) throws -> String {
            let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.folder.path, "LC_ALL": "C"]
            let process = try ChildProcess(program, arguments, environment: environment)
            process.closeInput()
            let status = process.wait(deadline: .seconds(60))
            guard status == 0 else {
                throw TestFailure("\(program): \(status.map(String.init) ?? "too slow")\n" + process.standardError)
            }
            return process.standardOutput.trimmed
        }
    }
}
