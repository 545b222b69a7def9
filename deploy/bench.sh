#!/usr/bin/env bash
# What a hit and a whole event cost, and how long they take: alternating runs of ackhub-bench, medians.
#   deploy/bench.sh [runs=5] [seconds=5]
# First a hub with one loop and without PostgreSQL beside nginx answering an empty 204, so that the hub's CPU is the hit's
# own; then a hub with a private PostgreSQL. How each figure is made: the guide Benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/packages.sh

runs=${1:-5}
seconds=${2:-5}
need_swift
need_packages "${build_packages[@]}" "${database_packages[@]}" nginx-light curl
swift build -c release --product ackhub >&2
swift build -c release --product ackhub-bench >&2
bin=$(swift build -c release --show-bin-path)
ackhub=$bin/ackhub

work=$(mktemp -d /var/tmp/ackhub-bench-XXXXXX)
chmod 755 "$work" # PostgreSQL, another user, must come through; the keys have a mode of their own
pids=()
stop_postgres() { :; }
cleanup() {
    for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
    wait
    stop_postgres
    rm -rf "$work"
}
trap cleanup EXIT

# --- Who is measured ------------------------------------------------------------------------------------------------
mkdir "$work/nginx"
/usr/sbin/nginx -p "$work/nginx" -c "$PWD/deploy/bench/nginx.conf" -g 'user root;' 2>"$work/nginx.log" &
nginx=$!
pids+=("$nginx")

export ACKHUB_PUBLIC_URL=http://127.0.0.1:9006 ACKHUB_KEYS_FILE=$work/keys.json ACKHUB_LOOPS=1 ACKHUB_DRAIN_SECONDS=0
"$ackhub" keys new >/dev/null

# start_hub NAME PORT DATABASE: its admin listener is on the next port; sets hub.
start_hub() {
    ACKHUB_LISTEN=127.0.0.1:$2 ACKHUB_ADMIN_LISTEN=127.0.0.1:$(($2 + 1)) ACKHUB_SPOOL_DIR=$work/spool-$1 \
        ACKHUB_DATABASE_URL=$3 "$ackhub" serve 2>"$work/$1.log" &
    hub=$!
    pids+=("$hub")
    wait_for "http://127.0.0.1:$(($2 + 1))/readyz" || { tail -n 5 "$work/$1.log" >&2; exit 1; }
}
wait_for() {
    for _ in $(seq 100); do
        curl -fsS -o /dev/null "$1" 2>/dev/null && return 0
        sleep 0.1
    done
    echo "No answer: $1" >&2
    return 1
}

# PostgreSQL refuses to run as root; its files then belong to the user that Debian made for it.
as_postgres=()
[ "$(id -u)" -ne 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups --)
data=$work/postgres/data
in_postgres() { (cd / && exec "${as_postgres[@]}" "$@"); }
control() { in_postgres "$tools/pg_ctl" -D "$data" -s "$@"; }

start_postgres() { # sets database and postmaster
    tools=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    mkdir -m 700 "$work/postgres"
    [ "$(id -u)" -ne 0 ] || chown postgres:postgres "$work/postgres"
    in_postgres "$tools/initdb" -D "$data" -U ackhub --auth=trust --encoding=UTF8 --no-instructions >/dev/null
    control -w -l "$work/postgres/log" -o "-c listen_addresses='' -c unix_socket_directories='$work/postgres'" start
    stop_postgres() { ! control status >/dev/null || control -m fast stop; }
    in_postgres "$tools/createdb" -h "$work/postgres" -U ackhub ackhub
    database="postgresql:///ackhub?host=$work/postgres&user=ackhub"
    postmaster=$(in_postgres head -n 1 "$data/postmaster.pid")
    ACKHUB_DATABASE_URL=$database "$ackhub" migrate >/dev/null
}

bench() { "$bin/ackhub-bench" compare --runs "$runs" --duration "$seconds" --warm-up 1 "$@"; }

# --- A hit, beside nginx --------------------------------------------------------------------------------------------
"$ackhub" mint --account 1 --campaign 7 --provider android-firebase --profile 1 --subscription 1 --count 100000 \
    --paths >"$work/paths"
# Nobody listens there: the loader waits, the hits do not.
start_hub alone 9006 'host=127.0.0.1 port=1 user=nobody connect_timeout=1'
wait_for http://127.0.0.1:9005/

hit_row() { # hit_row NAME OPTION...
    bench --row "$@" \
        --side hub --url http://127.0.0.1:9006 --keys-file "$work/keys.json" --links 200000 --process "hub=$hub" \
        --side nginx --url http://127.0.0.1:9005 --targets "$work/paths" --process "nginx=$nginx"
}
echo "| a durable hit | hub, µs CPU | nginx, µs CPU | ratio | hub, hits/s | nginx, hits/s |"
echo "|---|---|---|---|---|---|"
hit_row "keep-alive, 64 connections" --connections 64
hit_row "keep-alive, 512 connections" --connections 512
hit_row "a new connection each, 64 at a time" --connections 64 --new-connections
kill -TERM "$hub"

# --- A whole event ----------------------------------------------------------------------------------------------------
start_postgres
start_hub whole 9016 "$database"
whole=(--side hub --url http://127.0.0.1:9016 --keys-file "$work/keys.json" --links $((150000 * (seconds + 1))))

echo
echo "| a whole event | hub and PostgreSQL, µs CPU | hits/s | seconds until all is loaded |"
echo "|---|---|---|---|"
row=$(bench --row "64 connections, every hit stored and counted" --columns event-cpu,rate,drain \
    --process "hub=$hub,postgres=$postmaster" "${whole[@]}" --check-database "$database" --drain-seconds 300)
echo "$row"

# --- How long a hit takes ---------------------------------------------------------------------------------------------
rate=$(awk -F'|' '{ print int($4 / 2) }' <<<"$row")
latency_row() { bench --rate "$rate" --row "$1" --columns p50,p99,p99.9 "${whole[@]}"; }
echo
echo "| $rate hits/s, half of what it took before | p50, µs | p99, µs | p99.9, µs |"
echo "|---|---|---|---|"
latency_row "PostgreSQL runs"
stop_postgres
latency_row "PostgreSQL is stopped"
