import CommandLineOptions
import TestSupport
import Testing

@testable import ackhub

@Suite(.blocking)
struct OptionParserTests {
    private let account = Option("account", .account, .required, help: "")
    private let count = Option("count", .count(in: 1...9), .defaults(to: 1, text: "1"), help: "")
    private let name = Option("name", .text("TEXT"), help: "")
    private let check = Option<Bool>.flag("check", help: "")

    private func parse(_ words: [String], operand: Operand? = nil) throws(UsageError) -> Arguments {
        try Arguments.parse(
            words, options: [self.account, self.count, self.name, self.check], operand: operand)
    }

    private func problems(_ words: [String], operand: Operand? = nil) -> [String] {
        do throws(UsageError) {
            _ = try self.parse(words, operand: operand)
            return []
        } catch {
            return error.problems
        }
    }

    /// Both forms of an option are read, and defaults stand in for what is not given.
    @Test func readsValuesInBothForms() throws {
        let arguments = try self.parse(["--account", "7", "--name=a=b", "--check"])
        #expect(arguments[self.account] == 7)
        #expect(arguments[self.count] == 1)
        #expect(arguments.ifGiven(self.name) == "a=b")
        #expect(arguments[self.check])
        let plain = try self.parse(["--account=9223372036854775807", "--count=9"])
        #expect(plain[self.account] == .max)
        #expect(plain[self.count] == 9)
        #expect(plain.ifGiven(self.name) == nil)
        #expect(!plain[self.check])
    }

    /// Each mistake is named with what to do about it.
    @Test(arguments: [
        ([], "--account is missing"),
        (["--account=1", "--acount=1"], "unknown option --acount: did you mean --account?"),
        (["--account=1", "-x"], "unknown option -x"),
        (["--account"], "--account needs a value: --account ID"),
        (["--account", "--check"], "--account needs a value: --account ID"),
        (["--account=0"], "--account: '0' is not a whole number from 1 to 2^63-1"),
        (["--account=01"], "--account: '01' is not a whole number from 1 to 2^63-1"),
        (["--account=9223372036854775808"], "--account: '9223372036854775808' is not a whole number from 1 to 2^63-1"),
        (["--account=1", "--count=10"], "--count: '10' is not a whole number from 1 to 9"),
        (["--account=1", "--count="], "--count: '' is not a whole number from 1 to 9"),
        (["--account=1", "--account=2"], "--account is given twice"),
        (["--account=1", "--check=yes"], "--check takes no value"),
        (["--account=1", "word"], "unexpected 'word': this command takes options only"),
    ])
    func namesAMistake(words: [String], problem: String) {
        #expect(self.problems(words).contains(problem))
    }

    /// One run tells every mistake.
    @Test func tellsAllMistakesAtOnce() {
        #expect(self.problems(["--count=x", "--nam=1", "word"]).count == 4)
    }

    /// One operand is taken, after `--` whatever it looks like.
    @Test func takesOneOperand() throws {
        let id = Operand(placeholder: "ID", help: "")
        #expect(try self.parse(["--account=1", "x"], operand: id).operand == "x")
        #expect(try self.parse(["--account=1", "--", "--check"], operand: id).operand == "--check")
        #expect(self.problems(["--account=1"], operand: id) == ["ID is missing"])
        #expect(self.problems(["--account=1", "x", "y"], operand: id) == ["unexpected 'y': only one ID is taken"])
    }
}
