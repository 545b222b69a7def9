import CommandLineOptions
import EventStore
import Postgres
import StrictJSON

extension Command {
    private static let check = Option<Bool>.flag(
        "check", help: "apply nothing: list what is missing, exit 1 when anything is")

    /// `ackhub migrate`: brings the schema up to date.
    static let migrate = Command(
        name: "migrate",
        summary: "bring the database's schema up to date",
        discussion: """
            Applies the numbered migrations that are missing, in order, one transaction each, under an advisory lock:
            several may run at once. Prints what it applied. A migration that was changed after it was applied is
            refused.
            """,
        options: [check, .json],
        requiredSettings: ["database-url"],
        run: { invocation in
            let connection = try invocation.connect()
            let isCheck = invocation.arguments[check]
            let migrations = try isCheck ? Migrations.pending(on: connection) : Migrations.apply(on: connection)
            if invocation.arguments[.json] {
                try Output.json { writer in
                    writer.beginObject()
                    writer.key(isCheck ? "pending" : "applied")
                    writer.beginArray()
                    for migration in migrations { writer.string(migration.title) }
                    writer.endArray()
                    writer.endObject()
                }
            } else {
                for migration in migrations { try Output.line(migration.title) }
                if migrations.isEmpty { Output.diagnostic("The schema is up to date.") }
            }
            return isCheck && !migrations.isEmpty ? .failure : .success
        }
    )
}

extension Migrations.Applied {
    /// `0001_name`, as its file is called.
    fileprivate var title: String {
        let digits = String(self.number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + self.name
    }
}
