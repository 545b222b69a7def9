import CommandLineOptions
import Testing

@testable import ackhub_bench

/// Command lines that name no measurement: nothing is read, connected to or loaded.
@Suite
struct BenchCommandTests {
    @Test(arguments: [
        "", "rum", "mint --messages 0", "mint --messages 100000001", "mint --runs 0", "mint --style x", "mint x",
        "post",
        "post --url http://127.0.0.1:1 --path v1 --body b --process a=1",
        "post --url http://127.0.0.1:1 --path /v1\u{E9} --body b --process a=1",
        "post --url http://127.0.0.1:1 --path /v1 --body b",
        "post --url http://10.0.0.1:1 --path /v1 --body b --process a=1",
        "idle --url http://127.0.0.1:1 --keys-file k", "idle --url http://10.0.0.1:1 --keys-file k --process a=1",
        "idle --url http://127.0.0.1:1 --keys-file k --process a=1,b=2",
        "idle --url http://127.0.0.1:1 --keys-file k --process a=1 --connections 20001",
        "idle --url http://127.0.0.1:1 --keys-file k --process a=1 --hold-seconds 601", "launches",
        "launches --database d --account 0", "launches --database d --count 1000001",
    ])
    func refuses(words: String) {
        #expect(BenchCommand.run(words.split(separator: " ").map(String.init)) == .usage)
    }

    /// What can't be done is a failure, not a mistake of the command line.
    @Test(arguments: [
        "mint --messages 1 --runs 1",
        "post --url http://127.0.0.1:1 --path /v1 --body /none --process a=1",
        "post --url http://127.0.0.1:1 --path /v1 --body /dev/null --process a=1",
        "idle --url http://127.0.0.1:1 --keys-file /none --process a=1",
        "launches --database postgresql://nobody@127.0.0.1:1/none",
    ])
    func fails(words: String) {
        #expect(BenchCommand.run(words.split(separator: " ").map(String.init)) == .failure)
    }
}
