#!/usr/bin/env bash
# CPU per durable hit, beside nginx answering an empty 204 to the same requests: alternating runs, medians.
#   deploy/bench.sh [runs=5] [seconds=5]
# The hub runs with one loop and without PostgreSQL, so that its CPU is the hit's own: everything stays in its spool.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/packages.sh

runs=${1:-5}
seconds=${2:-5}
need_swift
need_packages "${build_packages[@]}" nginx-light wrk curl
swift build -c release --product ackhub >&2
ackhub=$(swift build -c release --show-bin-path)/ackhub

work=$(mktemp -d /var/tmp/ackhub-bench-XXXXXX)
pids=()
cleanup() {
    for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap cleanup EXIT

mkdir "$work/nginx"
/usr/sbin/nginx -p "$work/nginx" -c "$PWD/deploy/bench/nginx.conf" -g 'user root;' 2>"$work/nginx.log" &
nginx=$!
pids+=("$nginx")

export ACKHUB_LISTEN=127.0.0.1:9006 ACKHUB_ADMIN_LISTEN=127.0.0.1:9007 ACKHUB_PUBLIC_URL=http://127.0.0.1:9006
export ACKHUB_SPOOL_DIR=$work/spool ACKHUB_KEYS_FILE=$work/keys.json ACKHUB_LOOPS=1 ACKHUB_DRAIN_SECONDS=0
# Nobody listens there: the loader waits, the hits do not.
export ACKHUB_DATABASE_URL='host=127.0.0.1 port=1 user=nobody connect_timeout=1'
"$ackhub" keys new
"$ackhub" mint --account 1 --campaign 7 --provider android-firebase --profile 1 --subscription 1 --count 200000 \
    --paths >"$work/paths"
"$ackhub" serve 2>"$work/hub.log" &
hub=$!
pids+=("$hub")
for _ in $(seq 100); do
    curl -fsS -o /dev/null http://127.0.0.1:9007/readyz 2>/dev/null && curl -sS -o /dev/null http://127.0.0.1:9005/ && break
    sleep 0.1
done

# Clock ticks of user and system time of a process and its children that live.
ticks() {
    local total=0 pid
    for pid in "$1" $(cat "/proc/$1/task/$1/children"); do
        total=$((total + $(sed 's/.*) //' "/proc/$pid/stat" | awk '{print $12 + $13}')))
    done
    echo "$total"
}

# measure PID PORT CONNECTIONS [wrk arguments]: prints "µs-per-request requests-per-second".
measure() {
    local pid=$1 port=$2 connections=$3 before after output
    shift 3
    before=$(ticks "$pid")
    output=$(PATHS=$work/paths wrk -t1 -c"$connections" -d"${seconds}s" -s deploy/bench/paths.lua "$@" \
        "http://127.0.0.1:$port")
    after=$(ticks "$pid")
    if grep -q 'Non-2xx' <<<"$output"; then
        echo "not every answer was a 2xx:" >&2
        echo "$output" >&2
        return 1
    fi
    awk -v used=$((after - before)) -v hz="$(getconf CLK_TCK)" '
        / requests in / { requests = $1 }
        /^Requests\/sec/ { rate = $2 }
        END { printf "%.3f %.0f\n", used / hz * 1e6 / requests, rate }' <<<"$output"
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

row() { # row NAME CONNECTIONS [wrk arguments]
    local name=$1 connections=$2 run
    shift 2
    : >"$work/hub.cpu" && : >"$work/nginx.cpu" && : >"$work/hub.rate" && : >"$work/nginx.rate"
    for run in $(seq "$runs"); do
        for side in hub nginx; do
            local pid=$hub port=9006
            [ $side = hub ] || { pid=$nginx; port=9005; }
            read -r cpu rate < <(measure "$pid" "$port" "$connections" "$@")
            echo "$cpu" >>"$work/$side.cpu"
            echo "$rate" >>"$work/$side.rate"
        done
    done
    awk -v name="$name" -v h="$(median "$work/hub.cpu")" -v n="$(median "$work/nginx.cpu")" \
        -v hr="$(median "$work/hub.rate")" -v nr="$(median "$work/nginx.rate")" \
        'BEGIN { printf "| %s | %.2f | %.2f | %.2f | %.0f | %.0f |\n", name, h, n, h / n, hr, nr }'
}

echo "| a durable hit | hub, µs CPU | nginx, µs CPU | ratio | hub, hits/s | nginx, hits/s |"
echo "|---|---|---|---|---|---|"
row "keep-alive, 64 connections" 64
row "keep-alive, 512 connections" 512
row "a new connection each, 64 at a time" 64 -H 'Connection: close'
