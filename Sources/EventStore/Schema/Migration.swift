/// One numbered file of `sql/migrations`.
struct Migration: Sendable {
    var number: Int
    var name: String
    var sql: String
}
