#!/usr/bin/env bash
# Checks and renders the guides: ackhub's articles and the HubLinks library's reference, into .build/docs (or $1).
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/packages.sh

need_swift
need_packages "${build_packages[@]}"
output=${1:-.build/docs}
mkdir -p "$output"
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

docc convert Sources/ackhub/Ackhub.docc --warnings-as-errors --output-path "$output/ackhub" \
    --fallback-display-name Ackhub --fallback-bundle-identifier ackhub

swift build --target HubLinks
swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >/dev/null
find .build -path '*/symbolgraph/*' \( -name 'HubLinks*.json' -o -name 'MessageIDs*.json' \) -exec cp {} "$graphs/" \;
docc convert Sources/HubLinks/HubLinks.docc --warnings-as-errors --output-path "$output/HubLinks" \
    --additional-symbol-graph-dir "$graphs" --fallback-display-name HubLinks --fallback-bundle-identifier HubLinks
echo "Guides: $output/ackhub and $output/HubLinks"
