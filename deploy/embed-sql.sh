#!/bin/sh
# Writes Sources/EventStore/Schema/EmbeddedSQL.swift from sql/, so that one binary carries its SQL.
# Run it after every change in sql/; a test fails until it was. With a path, writes there instead.
set -eu
cd "$(dirname "$0")/.."
out="${1:-Sources/EventStore/Schema/EmbeddedSQL.swift}"
{
    echo '// swift-format-ignore-file'
    echo '// Made from sql/ by deploy/embed-sql.sh. Change the SQL there.'
    echo
    echo '/// The text of sql/: migrations in order, and each query under the name of its file.'
    echo 'enum EmbeddedSQL {'
    echo '    static let migrations: [Migration] = ['
    for file in sql/migrations/[0-9][0-9][0-9][0-9]_*.sql; do
        base="$(basename "$file" .sql)"
        number="$(echo "${base%%_*}" | sed 's/^0*//')"
        echo "        Migration(number: $number, name: \"${base#*_}\", sql: #\"\"\""
        cat "$file"
        echo
        echo '"""#),'
    done
    echo '    ]'
    for file in sql/queries/*.sql; do
        name="$(basename "$file" .sql | awk -F '[._]' \
            '{ printf "%s", $1; for (i = 2; i <= NF; i++) printf "%s%s", toupper(substr($i, 1, 1)), substr($i, 2) }')"
        echo
        echo "    static let $name = #\"\"\""
        cat "$file"
        echo '"""#'
    done
    echo '}'
} > "$out"
