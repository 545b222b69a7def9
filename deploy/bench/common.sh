# shellcheck shell=bash
# Sourced by deploy/bench.sh: the servers that are measured, the load, and the checks that every part shares.

# --- What is running ------------------------------------------------------------------------------------------------
pids=()
clusters=()

cleanup() {
    local pid cluster
    for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
    wait
    for cluster in "${clusters[@]}"; do stop_postgres "$cluster" || true; done
    rm -rf "$work"
}

# stop PID: returns when it has ended. Its id may be another process's from then on.
stop() {
    kill -TERM "$1" 2>/dev/null || true
    finish "$1" 2>/dev/null || true
}

# finish PID: waits until it ends by itself, and has its exit status.
finish() {
    local pid left=() status=0
    wait "$1" || status=$?
    for pid in "${pids[@]}"; do [ "$pid" = "$1" ] || left+=("$pid"); done
    pids=("${left[@]}")
    return "$status"
}

wait_for() { # wait_for URL
    local _
    for _ in $(seq 100); do
        curl -fsS -o /dev/null "$1" 2>/dev/null && return 0
        sleep 0.1
    done
    echo "No answer: $1" >&2
    return 1
}

# One worker that answers an empty 204 and writes a buffered log line; sets nginx and nginx_url.
start_nginx() {
    nginx_url=http://127.0.0.1:$port
    mkdir -p "$work/nginx"
    sed "s/127\.0\.0\.1:[0-9]*/127.0.0.1:$port/" deploy/bench/nginx.conf >"$work/nginx/nginx.conf"
    /usr/sbin/nginx -p "$work/nginx" -c "$work/nginx/nginx.conf" -g 'user root;' 2>"$work/nginx.log" &
    nginx=$!
    pids+=("$nginx")
    wait_for "$nginx_url/"
}

# start_hub NAME DATABASE [LOOPS [NUMBER]]: one loop unless it says otherwise, a port for each number; sets hub and
# hub_url.
start_hub() {
    local listen=$((port + 10 + 2 * ${4:-0}))
    hub_url=http://127.0.0.1:$listen
    ACKHUB_PUBLIC_URL=$hub_url ACKHUB_LISTEN=127.0.0.1:$listen ACKHUB_ADMIN_LISTEN=127.0.0.1:$((listen + 1)) \
        ACKHUB_SPOOL_DIR=$work/spool-$1 ACKHUB_DATABASE_URL=$2 ACKHUB_LOOPS=${3:-1} \
        ACKHUB_KEYS_FILE=$keys ACKHUB_DRAIN_SECONDS=0 "$bin/ackhub" serve 2>"$work/$1.log" &
    hub=$!
    pids+=("$hub")
    wait_for "http://127.0.0.1:$((listen + 1))/readyz" || { tail -n 5 "$work/$1.log" >&2; return 1; }
}

# start_peer MODE DATABASE: the collector in Go of deploy/bench/peer; sets peer and peer_url.
start_peer() {
    peer_url=http://127.0.0.1:$((port + 1))
    LISTEN=127.0.0.1:$((port + 1)) DATABASE_URL=$2 MODE=$1 "$work/peer" 2>"$work/peer-$1.log" &
    peer=$!
    pids+=("$peer")
    wait_for "$peer_url$(head -n 1 "$work/peer-paths")" || { tail -n 5 "$work/peer-$1.log" >&2; return 1; }
}

# --- PostgreSQL: a cluster of its own for each server, with its own defaults -----------------------------------------
# PostgreSQL refuses to run as root; its files then belong to the user that Debian made for it.
as_postgres=()
[ "$(id -u)" -ne 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups --)
in_postgres() { (cd / && exec "${as_postgres[@]}" "$@"); }
control() { # control CLUSTER ARGUMENT...
    local cluster=$1
    shift
    in_postgres "$postgres_bin/pg_ctl" -D "$work/$cluster/data" -s "$@"
}

# start_postgres CLUSTER: makes it at first; sets postmaster.
start_postgres() {
    postgres_bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -n 1)
    if [ ! -d "$work/$1" ]; then
        mkdir -m 700 "$work/$1"
        [ "$(id -u)" -ne 0 ] || chown postgres:postgres "$work/$1"
        in_postgres "$postgres_bin/initdb" -D "$work/$1/data" -U ackhub --auth=trust --encoding=UTF8 \
            --no-instructions >/dev/null
        clusters+=("$1")
    fi
    control "$1" -w -l "$work/$1/log" -o "-c listen_addresses='' -c unix_socket_directories='$work/$1'" start
    postmaster=$(in_postgres head -n 1 "$work/$1/data/postmaster.pid")
}

stop_postgres() { ! control "$1" status >/dev/null || control "$1" -m fast stop; }

# drop_postgres CLUSTER: and all that it holds.
drop_postgres() {
    local cluster left=()
    stop_postgres "$1"
    rm -rf "${work:?}/$1"
    for cluster in "${clusters[@]}"; do [ "$cluster" = "$1" ] || left+=("$cluster"); done
    clusters=("${left[@]}")
}

# make_database CLUSTER [NAME]: sets database. Migrated but for a peer's, which makes its own table.
make_database() {
    local name=${2:-ackhub}
    in_postgres "$postgres_bin/createdb" -h "$work/$1" -U ackhub "$name"
    database="postgresql:///$name?host=$work/$1&user=ackhub"
    [ "$name" = peer ] || ACKHUB_DATABASE_URL=$database "$bin/ackhub" migrate >/dev/null
}

sql() { "$postgres_bin/psql" -XAtq -v ON_ERROR_STOP=1 "$1" -c "$2"; } # sql DATABASE STATEMENT

# --- The load -------------------------------------------------------------------------------------------------------
bench() { "$bin/ackhub-bench" "$@"; }

# compare ARGUMENT...: prints the row; a failed check is noted, and the other parts still run.
compare() { bench compare "$@" || failed "ackhub-bench compare: see above"; }

failures=$work/failures
failed() {
    echo "FAILED: $1" >&2
    echo "$1" >>"$failures"
}

# cell ROW NUMBER: a cell of a Markdown row, from 1.
cell() { awk -F' *[|] *' -v number="$2" '{ print $(number + 1) }' <<<"$1"; }

# calculate EXPRESSION [FORMAT]: of numbers.
calculate() { awk "BEGIN { printf \"${2:-%d}\", $1 }"; }

# is_true CONDITION: of numbers; false where a figure is missing.
is_true() { awk "BEGIN { exit !($1) }" 2>/dev/null; }

# --- The checks -----------------------------------------------------------------------------------------------------
# check_stored DATABASE ANSWERED: every event that was answered is in the database, none twice, and every counter says
# so. The hub may have a backlog: it is given five minutes.
check_stored() {
    local counted stored _
    for _ in $(seq 3000); do
        counted=$(sql "$1" 'select coalesce(sum(acks_total + opens_total), 0) from ackhub.launch_total')
        [ "$counted" -lt "$2" ] || break
        sleep 0.1
    done
    stored=$(sql "$1" 'select count(*) from ackhub.event_log')
    [ "$stored" = "$2" ] || failed "answered $2, but $stored are stored"
    echo
    echo "Answered $2, stored $stored. $(reconcile "$1")"
}

# reconcile DATABASE: one line, what the hub's own recount says.
reconcile() {
    local said
    said=$(ACKHUB_DATABASE_URL=$1 "$bin/ackhub" reconcile) || failed "ackhub reconcile: $said"
    echo "\`ackhub reconcile\`: $(tail -n 1 <<<"$said")."
}

# --- The table ------------------------------------------------------------------------------------------------------
# title TEXT: begins a part.
title() { printf '\n### %s\n\n' "$1"; }

# header CELL...: of a table.
header() {
    local text
    printf '|'; for text in "$@"; do printf ' %s |' "$text"; done
    printf '\n|'; for text in "$@"; do printf '%s' '---|'; done
    printf '\n'
}

summary=$work/summary
# sum_up WORK TARGET MEASURED [CONDITION]: a row of the last table. Without a condition it is told, and judged by nothing.
sum_up() {
    local reached=–
    if [ -n "${4:-}" ]; then
        reached=no
        ! is_true "$4" || reached=yes
    fi
    printf '| %s | %s | %s | %s |\n' "$1" "$2" "$3" "$reached" >>"$summary"
}
