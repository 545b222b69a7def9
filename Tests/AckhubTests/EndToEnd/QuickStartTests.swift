import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// A newcomer's way: keys, schema, token, hub, links, hits, report.
@Suite(.blocking) struct QuickStartTests {
    /// What a phone calls is what every report then shows, and the command line prints what the endpoints answer.
    @Test func goesFromKeysToReport() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let body = """
            {"campaign_id":7,"launched_at":"2026-11-30T08:00:00Z","provider":"android-firebase",\
            "messages":[{"profile_id":42,"subscription_id":43},{"profile_id":44,"subscription_id":45}]}
            """
        let answer = try hub.api("POST", "/v1/links", body: body)
        #expect(answer.status == 200)
        let minted = try JSONValue(parsing: answer.body.span.bytes)
        let launch = try #require(minted["launch_id"]?.text)
        let links = try #require(minted["messages"]?.items?.first?["hub_link"])
        let (ack, open) = (try #require(links["ack"]?.text), try #require(links["open"]?.text))
        #expect(ack.hasPrefix("http://hub.example/ack/"))
        #expect(hub.hit(ack) == 204)
        #expect(hub.hit(open) == 204)
        #expect(hub.hit(open, "HEAD") == 204)
        #expect(hub.hit(ack.replacing("/ack/", with: "/open/")) == 404)
        let path = "/v1/reports/launches/\(launch)"
        #expect(waitUntil { (try? hub.json(path)["totals"]?["opened"]?.int64) == 1 })
        let row = try #require(try hub.json(path)["totals"])
        for (name, count) in ["sent": 2, "delivered": 1, "acked": 1, "derived": 0, "opened": 1, "opens_total": 1] {
            #expect(row[name]?.int64 == Int64(count), "\(name)")
        }
        #expect(row["delivery_rate"]?.double == 0.5)

        let printed = try deployment.run(["report", "--launch", launch, "--json"]).requireSuccess()
        #expect(printed.output.trimmed == String(decoding: try hub.api("GET", path).body, as: UTF8.self))
        let agreeing = try deployment.run(["report", "--account", "1", "--launch", launch, "--json"]).requireSuccess()
        #expect(agreeing.output == printed.output)
        let campaigns = try deployment.run(["report", "--account", "1", "--json"]).requireSuccess()
        #expect(
            campaigns.output.trimmed
                == String(decoding: try hub.api("GET", "/v1/reports/campaigns").body, as: UTF8.self))
        #expect(
            try deployment.run(["report", "--launch", launch]).requireSuccess().output.contains("android-firebase"))
        #expect(try deployment.run(["report", "--account", "1"]).requireSuccess().output.contains("50.0 %"))
        #expect(try deployment.run(["reconcile"]).requireSuccess().output.hasSuffix(", differences 0\n"))

        let explained = try deployment.run(["explain", open, "--json"]).requireSuccess()
        let explanation = try JSONValue(parsing: Array(explained.output.trimmed.utf8).span.bytes)
        #expect(explanation["profile"]?.text == "42")
        #expect(explanation["stored"]?.text == "2 events")
        #expect(explanation["events"]?.items?.compactMap { $0["kind"]?.text } == ["ack", "open"])
        #expect(hub.stop() == 0)
    }

    /// Minting in process gives the message that the hub gives, to the byte.
    @Test func mintsWhatTheHubMints() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let times = ["--launched-at", "2026-11-30T08:00:00Z", "--sent-at", "2026-11-30T08:00:00.5Z"]
        for (name, style) in [("path", "path"), ("hex", "crypto_post_events")] {
            let here = try deployment.run(
                [
                    "mint", "--account", "1", "--campaign", "7", "--provider", "ios-apns", "--profile", "42",
                    "--subscription", "43", "--style", style, "--privacy", "1", "--test", "--json",
                ] + times
            ).requireSuccess().output.trimmed
            let answer = try hub.api(
                "POST", "/v1/links",
                body: """
                    {"campaign_id":7,"launched_at":"2026-11-30T08:00:00Z","provider":"ios-apns","style":"\(style)",\
                    "privacy":1,"test":true,"messages":[{"profile_id":42,"subscription_id":43,\
                    "sent_at":"2026-11-30T08:00:00.5Z"}]}
                    """)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("[\(here)]"), "\(name)")
        }
        #expect(hub.stop() == 0)
    }

    /// Many messages are a line each, with profiles and subscriptions in sequence; paths are all that a load generator needs.
    @Test func mintsInSequence() throws {
        let deployment = try Deployment()
        let mint = [
            "mint", "--account", "1", "--campaign", "7", "--provider", "ios-apns", "--profile", "18446744073709551615",
            "--subscription", "43", "--count", "3",
        ]
        let lines = try deployment.run(mint + ["--json"]).requireSuccess().output.lines
        let messages = try lines.map { try JSONValue(parsing: Array($0.utf8).span.bytes) }
        #expect(Set(messages.compactMap { $0["uid"]?.text }).count == 3)
        #expect(Set(messages.compactMap { $0["launch_id"]?.text }).count == 1)
        let decoded = try deployment.run(["decode", try #require(messages.last?["uid"]?.text)]).requireSuccess().output
        #expect(decoded.contains("00000000-0000-0001-0000-000000000001"))
        let paths = try deployment.run(mint + ["--paths"]).requireSuccess().output.lines
        #expect(paths.count == 6)
        #expect(paths.allSatisfy { $0.hasPrefix("/ack/") || $0.hasPrefix("/open/") })
        #expect(try deployment.run(mint + ["--count=1", "--subscription=9"]).status == 2)
    }

    /// A key ring file is made once, rotated and read by its owner alone.
    @Test func keepsKeys() throws {
        let deployment = try Deployment()
        let file = deployment.folder.file("keys.json")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let again = try deployment.run(["keys", "new"])
        #expect(again.status == 1)
        let rotated = try deployment.run(["keys", "rotate", "--json"]).requireSuccess().output
        let states = try JSONValue(parsing: Array(rotated.trimmed.utf8).span.bytes).items?.compactMap {
            $0["state"]?.text
        }
        #expect(states?.sorted() == ["accepted", "active"])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(try deployment.run(["keys", "list"]).status == 1)
    }

    /// A token works until it is revoked; its text is shown once and nowhere stored.
    @Test func makesAndRevokesTokens() throws {
        let deployment = try Deployment()
        let token = try deployment.run(["tokens", "create", "--account", "2", "--scopes", "report"]).requireSuccess()
        #expect(token.output.lines.count == 1)
        #expect(token.output.hasPrefix("ackhub_"))
        let listed = try deployment.run(["tokens", "list", "--account", "2", "--json"]).requireSuccess().output
        #expect(!listed.contains(token.output.trimmed))
        let entries = try #require(try JSONValue(parsing: Array(listed.trimmed.utf8).span.bytes).items)
        #expect(entries.count == 1)
        #expect(entries.first?["scopes"]?.items?.compactMap(\.text) == ["report"])
        let id = try #require(entries.first?["id"]?.text)
        try deployment.run(["tokens", "revoke", id]).requireSuccess()
        #expect(try deployment.run(["tokens", "revoke", id]).status == 1)
    }

    /// A key of JSON Web Tokens is added from its public half, listed without it, and revoked once.
    @Test func addsAndRevokesJWTKeys() throws {
        let deployment = try Deployment()
        let (privateFile, publicFile) = (deployment.folder.file("private.pem"), deployment.folder.file("public.pem"))
        for arguments in [
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", privateFile],
            ["pkey", "-in", privateFile, "-pubout", "-out", publicFile],
        ] {
            #expect(try ChildProcess("openssl", arguments).wait() == 0)
        }
        let add = ["jwt-keys", "add", "--account", "2", "--algorithm"]
        let refused = try deployment.run(add + ["ES256", "--key-file", privateFile])
        #expect(refused.status == 1)
        #expect(refused.diagnostics.contains("private key"))
        #expect(try deployment.run(add + ["RS256", "--key-file", publicFile]).status == 1)
        #expect(try deployment.run(add + ["HS256", "--key-file", publicFile]).status == 1)
        #expect(try deployment.run(add + ["none", "--key-file", publicFile]).status == 2)
        let named = add + ["ES256", "--key-file", publicFile, "--kid", "app-1", "--audience", "hub"]
        #expect(try deployment.run(named).requireSuccess().output.trimmed == "app-1")
        #expect(try deployment.run(named).diagnostics.contains("app-1"))
        let made = try deployment.run(add + ["ES256", "--key-file", publicFile]).requireSuccess().output.trimmed
        #expect(!made.isEmpty && made != "app-1")
        let listed = try deployment.run(["jwt-keys", "list", "--json"]).requireSuccess().output
        let entries = try #require(try JSONValue(parsing: Array(listed.trimmed.utf8).span.bytes).items)
        #expect(entries.compactMap { $0["id"]?.text } == ["app-1", made])
        #expect(entries.first?["audience"]?.text == "hub" && entries.first?["issuer"]?.isNull == true)
        let revoke = ["jwt-keys", "revoke", "app-1", "--account", "2"]
        try deployment.run(revoke).requireSuccess()
        #expect(try deployment.run(revoke).status == 1)
    }

    /// The schema is brought up to date once; `--check` says whether it is.
    @Test func migratesOnce() throws {
        let deployment = try Deployment()
        #expect(try deployment.run(["migrate"]).requireSuccess().output.isEmpty)
        #expect(try deployment.run(["migrate", "--check"]).status == 0)
        let empty = try TestPostgres.shared.makeDatabase()
        let check = try deployment.run(["migrate", "--check", "--database-url", empty.url])
        #expect(check.status == 1)
        #expect(check.output.hasPrefix("0001_"))
        let early = try deployment.run(["report", "--account", "1", "--database-url", empty.url])
        #expect(early.status == 1)
        #expect(early.diagnostics.contains("run 'ackhub migrate'"))
    }

    /// A hub does not start on a schema that it does not know.
    @Test func refusesAnEmptyDatabase() throws {
        let deployment = try Deployment()
        let empty = try TestPostgres.shared.makeDatabase()
        let hub = deployment.makeHub()
        try hub.launch(["--database-url", empty.url])
        #expect(hub.waitForExit() == 1)
        #expect(hub.log.contains("migrate"))
    }

    /// What is wrong with a link is named for its owner, while devices see one 404.
    @Test func explainsDamage() throws {
        let deployment = try Deployment()
        let path = try #require(
            try deployment.run([
                "mint", "--account", "1", "--campaign", "7", "--provider", "ios-apns", "--profile", "1",
                "--subscription", "2", "--paths",
            ]).requireSuccess().output.lines.first)
        let whole = try deployment.run(["explain", path]).requireSuccess()
        #expect(whole.output.contains("as it was minted"))
        let repaired = try deployment.run(["explain", "http://any.example" + path + "?utm_id=1"]).requireSuccess()
        #expect(repaired.output.contains("changed on the way"))
        let below = try deployment.run([
            "explain", "https://any.example/hub" + path, "--public-url", "https://any.example/hub/",
        ])
        #expect(below.status == 0)
        for (damaged, kind) in [
            (path.replacing("/ack/", with: "/open/"), "wrong_kind"), (String(path.dropLast(40)), "truncated"),
            (LinkFault.changedLetter.apply(to: path), "authentication"), ("/elsewhere", "not a link"),
        ] {
            let explained = try deployment.run(["explain", damaged])
            #expect(explained.status == 1)
            #expect(explained.output.contains(kind), "\(kind)")
        }
    }
}
