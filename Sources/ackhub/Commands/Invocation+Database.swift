import CommandLineOptions
import HubServer
import Postgres

extension Invocation {
    /// Connects to the database of the settings.
    func connect() throws -> PostgresConnection {
        var configuration = PostgresConfiguration(connection: self.configuration.databaseURL)
        configuration.onNotice = { Output.diagnostic($0) }
        return try PostgresConnection(configuration)
    }
}

extension PostgresError {
    /// For people: where the server misses a schema, table, column or function, what to do about it.
    var advice: String {
        let isSchemaOld = ["3F000", "42P01", "42703", "42883"].contains(self.sqlState)
        return isSchemaOld ? "\(self): the schema is not up to date, run 'ackhub migrate'" : self.description
    }
}
