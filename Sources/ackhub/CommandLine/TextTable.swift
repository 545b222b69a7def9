/// Columns for people: the first to the left, the others (numbers) to the right.
struct TextTable {
    private var rows: [[String]]

    init(header: [String]) { self.rows = [header] }

    mutating func row(_ cells: [String]) {
        precondition(cells.count == self.rows[0].count, "a row has as many cells as the header")
        self.rows.append(cells)
    }

    var text: String {
        let widths = self.rows[0].indices.map { column in self.rows.map { $0[column].count }.max() ?? 0 }
        return self.rows.map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
