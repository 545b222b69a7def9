/// All problems of a configuration at once; each names the variable or flag that holds the bad value, never a secret.
package struct HubConfigurationError: Error, Sendable, CustomStringConvertible {
    package var problems: [(name: String, detail: String)]
    package init(problems: [(name: String, detail: String)]) { self.problems = problems }
    package var description: String { self.problems.map { "\($0.name): \($0.detail)" }.joined(separator: "\n") }
}
