#!/usr/bin/env bash
# Installs what is missing, builds and runs every test. Ends 0 only when all passed and none was skipped.
#   deploy/test.sh [arguments of swift test, e.g. --filter HubLinks]
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/packages.sh

need_swift
# openssl makes the TLS tests' certificates; the second line are the clients that RealClientTests let loose on a hub.
need_packages "${build_packages[@]}" "${database_packages[@]}" openssl \
    curl python3 wrk apache2-utils nghttp2-client chromium

output=$(mktemp)
trap 'rm -f "$output"' EXIT
swift build --build-tests --explicit-target-dependency-import-check error
swift test --skip-build "$@" 2>&1 | tee "$output"

if grep -q ' skipped' "$output"; then
    echo "Some tests were skipped: see above." >&2
    exit 1
fi
ran=$(sed -nE 's/.*Test run with ([1-9][0-9]*) tests? .*passed.*/\1/p' "$output" | tail -n 1)
[ -n "$ran" ] || {
    echo "No test ran." >&2
    exit 1
}
echo "Tests that ran: $ran. All passed, none was skipped."
