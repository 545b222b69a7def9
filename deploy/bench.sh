#!/usr/bin/env bash
# Measures Ackhub, beside its peers if it is told to, and prints the tables as Markdown. How each figure is made: the
# guide Benchmarks. Exit status: 1 when what was answered is not what is stored, a budget is exceeded or something could
# not be measured, 2 for a wrong command line; a figure that misses its target is told in the last table and is no failure.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."

usage() {
    cat <<'TEXT'
Usage: deploy/bench.sh [OPTION]…

  --only PART,…       of hit, event, throughput, latency, mint, report, memory (default: all of these), curve, budgets
  --curve             adds the scaling curve: loops, hubs, launches, events stored
  --budgets           adds the budgets of allocations, system calls and instructions
  --peers             measures the collector in Go of deploy/bench/peer, too; installs what it needs
  --quick             to try the script: little of everything, no figure is worth keeping
  --runs N            alternating runs whose median is told (default 5)
  --seconds N         of each run (default 5)
  --long-seconds N    of the one run of throughput (default 60)
  --port N            the first of 30 free ports of this machine (default 9005)
  --bin FOLDER        has ackhub and ackhub-bench; nothing is built

Needs 10 GB in /var/tmp for the report's 20 million events, and 25 GB for the curve's 50.
TEXT
}

fail_usage() {
    echo "deploy/bench.sh: $1" >&2
    echo "See 'deploy/bench.sh --help'." >&2
    exit 2
}

number() { # number OPTION TEXT LEAST GREATEST
    if [[ ! $2 =~ ^[1-9][0-9]{0,5}$ ]] || [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
        fail_usage "$1: '$2' is not $3 to $4"
    fi
}

parts=(hit event throughput latency mint report memory)
all_parts=("${parts[@]}" curve budgets)
more_parts=()
peers='' quick=0 runs='' seconds='' long_seconds='' port=9005 bin=''
while [ $# -gt 0 ]; do
    case $1 in
    --only | --runs | --seconds | --long-seconds | --port | --bin)
        [ $# -gt 1 ] || fail_usage "$1 needs a value"
        ;;
    esac
    case $1 in
    --help | -h) usage && exit 0 ;;
    --only) IFS=, read -ra parts <<<"$2" && shift ;;
    --peers) peers=1 ;;
    --curve | --budgets) more_parts+=("${1#--}") ;;
    --quick) quick=1 ;;
    --runs) number "$1" "$2" 1 1000 && runs=$2 && shift ;;
    --seconds) number "$1" "$2" 1 60 && seconds=$2 && shift ;;
    --long-seconds) number "$1" "$2" 1 600 && long_seconds=$2 && shift ;;
    --port) number "$1" "$2" 1024 65500 && port=$2 && shift ;;
    --bin)
        bin=$(cd "$caller" && cd "$2" 2>/dev/null && pwd) || fail_usage "--bin: '$2' is no folder"
        for program in ackhub ackhub-bench; do
            [ -x "$bin/$program" ] || fail_usage "--bin: '$2' has no $program"
        done
        shift
        ;;
    *) fail_usage "unknown option '$1'" ;;
    esac
    shift
done
parts+=("${more_parts[@]}")
[ ${#parts[@]} -gt 0 ] || fail_usage "--only: no part"
for part in "${parts[@]}"; do
    [[ " ${all_parts[*]} " == *" $part "* ]] || fail_usage "--only: '$part' is none of ${all_parts[*]}"
done
: "${runs:=$((quick ? 1 : 5))}" "${seconds:=$((quick ? 1 : 5))}" "${long_seconds:=$((quick ? 3 : 60))}"

. deploy/packages.sh
need_packages "${build_packages[@]}" "${database_packages[@]}" nginx-light curl
if [ -z "$bin" ]; then
    need_swift
    swift build -c release --product ackhub >&2
    swift build -c release --product ackhub-bench >&2
    bin=$(swift build -c release --show-bin-path)
fi

# A server that shares a port with what is measured would take half of the load, and be measured by nobody.
for taken in $(seq "$port" $((port + 29))); do
    ! (exec 3<>"/dev/tcp/127.0.0.1/$taken") 2>/dev/null || fail_usage "--port: somebody listens on $taken"
done

work=$(mktemp -d /var/tmp/ackhub-bench-XXXXXX)
chmod 755 "$work" # PostgreSQL, another user, must come through; keys and tokens have a mode of their own
. deploy/bench/common.sh
. deploy/bench/hit.sh
. deploy/bench/event.sh
. deploy/bench/mint.sh
. deploy/bench/report.sh
. deploy/bench/memory.sh
. deploy/bench/curve.sh
trap cleanup EXIT

keys=$work/keys.json
ACKHUB_PUBLIC_URL=http://127.0.0.1 ACKHUB_KEYS_FILE=$keys "$bin/ackhub" keys new >/dev/null
ulimit -n "$(ulimit -H -n)"
if [ -n "$peers" ]; then
    need_packages "${peer_packages[@]}"
    (cd deploy/bench/peer && GO111MODULE=off GOPATH=/usr/share/gocode go build -o "$work/peer" .)
    "$work/peer" mint 100000 >"$work/peer-paths"
fi
greatest_rate=''
: >"$failures"
: >"$summary"

processor=$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)
echo "\`deploy/bench.sh\`, $(date +%Y-%m-%d), $(nproc) cores of $processor, Linux $(uname -r). Medians of $runs" \
    "alternating runs of $seconds s; load generator and PostgreSQL on the same cores."
part_budgets() {
    local status=0
    title "Budgets"
    BUDGETS_PORT=$((port + 21)) deploy/bench/budgets.sh "$bin" || status=$?
    case $status in
    0) ;;
    1) failed "deploy/bench/budgets.sh: a budget is exceeded" ;;
    *) failed "deploy/bench/budgets.sh: the budgets could not be measured (exit status $status)" ;;
    esac
}
for part in "${parts[@]}"; do "part_$part"; done

if [ -s "$summary" ]; then
    title "What was to be reached"
    header work "to reach" measured "reached?"
    cat "$summary"
fi
if [ -s "$failures" ]; then
    printf '\nFailed:\n\n'
    sed 's/^/- /' "$failures"
    exit 1
fi
