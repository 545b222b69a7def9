import CommandLineOptions
import HubServer

extension Command {
    private static let required = ["public-url", "database-url", "spool-dir", "keys-file"]

    /// `ackhub serve`: runs the hub until it is told to stop.
    static let serve = Command(
        name: "serve",
        summary: "run the hub: device links, the API, the loader",
        discussion: """
            Logs one JSON object a line on stderr and runs until SIGTERM or SIGINT, then drains: no new work is taken,
            what is in flight is answered, the spool is loaded for up to drain-seconds. What was not loaded stays on
            disk for the next start. Exit status 0 after a clean stop. SIGHUP reloads the keys and the certificate.
            The schema must be up to date ('ackhub migrate').
            """,
        requiredSettings: required,
        optionalSettings: HubConfiguration.settings.map(\.name).filter { !required.contains($0) },
        run: { invocation in
            let hub = try Hub(invocation.configuration, log: Log(minimum: invocation.configuration.logLevel))
            try hub.start()
            return hub.runUntilSignalled() == 0 ? .success : .failure
        }
    )
}
