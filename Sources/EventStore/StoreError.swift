/// What goes wrong in this module beyond PostgreSQL's own errors.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package var name: String
        /// An applied migration's text differs from the file at hand.
        package static let changedMigration = Code(name: "changed_migration")
        /// A report's cursor was not made by the same request.
        package static let cursor = Code(name: "cursor")
        /// The database holds another position than the batch begins at: another answer was lost, or a server failed over.
        package static let positionMoved = Code(name: "position_moved")
        /// The database answered what this hub's SQL can't bring about.
        package static let inconsistent = Code(name: "inconsistent")
    }

    package var code: Code
    package var detail: String
    package var description: String { self.detail }

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
