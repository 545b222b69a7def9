# Sourced by the scripts beside it: installs the Debian packages that are missing, and nothing when none is.

# need_packages NAME...: apt-get needs root or sudo, so it is asked only for what is really missing.
need_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    echo "Installing: ${missing[*]}" >&2
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -q >&2
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

# What the build links and the tests start; FoundationXML loads libxml2.
build_packages=(libpq-dev libssl-dev libxml2 pkg-config)
database_packages=(postgresql)
# The collector in Go that bench.sh --peers measures: built without the network, from Debian's sources.
peer_packages=(golang-go golang-github-jackc-pgx-v4-dev)

need_swift() {
    command -v swift >/dev/null && return 0
    echo "Swift 6.3 or newer is needed on PATH: https://www.swift.org/install/linux/" >&2
    return 1
}
