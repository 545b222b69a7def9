#!/usr/bin/env bash
# From a fresh Debian machine with Swift to a running hub with a played launch in it.
#   deploy/quickstart.sh          builds, starts, plays a launch, prints its report, serves until Ctrl-C
#   deploy/quickstart.sh --once   the same, then stops; ends 0 only if the report is exact
# Everything it makes lies in .ackhub/ (QUICKSTART_HOME to choose another folder). A PostgreSQL of your own: set
# ACKHUB_DATABASE_URL. Other addresses: ACKHUB_LISTEN, ACKHUB_ADMIN_LISTEN, ACKHUB_PUBLIC_URL. Messages played:
# QUICKSTART_MESSAGES (2000).
set -euo pipefail
home=$(realpath -m -- "${QUICKSTART_HOME:-$(dirname "$0")/../.ackhub}")
cd "$(dirname "$0")/.."
. deploy/packages.sh

once=false
case "$#:${1:-}" in
    0:) ;;
    1:--once) once=true ;;
    *) sed -n '2,8s/^# \{0,1\}//p' deploy/quickstart.sh; [ "${1:-}" = --help ] && exit 0 || exit 2 ;;
esac

# A setting that was meant for another hub must not bend this one.
for name in $(compgen -e ACKHUB_); do
    case $name in
        ACKHUB_DATABASE_URL | ACKHUB_LISTEN | ACKHUB_ADMIN_LISTEN | ACKHUB_PUBLIC_URL) ;;
        ACKHUB_SPOOL_DIR | ACKHUB_KEYS_FILE) ;; # set below
        *) echo "The quick start does not use $name." >&2; unset "$name" ;;
    esac
done

need_swift
need_packages "${build_packages[@]}" curl
swift build -c release --product ackhub >&2
ackhub=$(swift build -c release --show-bin-path)/ackhub

mkdir -p "$home"
# Held by this script and its hub: who gets it finds nobody at work in the folder, nor the hub of a killed quick start.
exec 9>"$home/lock"
flock -w 20 9 || { echo "A quick start is at work in $home: stop it, or set QUICKSTART_HOME." >&2; exit 1; }

hub_pid=
stop_all() {
    trap '' INT TERM HUP
    trap - EXIT
    if [ -n "$hub_pid" ]; then kill -TERM "$hub_pid" 2>/dev/null || true; wait "$hub_pid" 2>/dev/null || true; fi
    stop_postgres
}
stop_postgres() { :; }
trap stop_all EXIT
trap 'exit 130' INT TERM HUP

# --- PostgreSQL: yours, or a private one on a socket in $home -----------------------------------------------------
# PostgreSQL refuses to run as root; its files then belong to the user that Debian made for it.
as_postgres=()
[ "$(id -u)" -ne 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups --)
data=$home/postgres
# Another user must be able to enter the folder, and a socket's path has 107 bytes at most.
as_anybody=()
[ "$(id -u)" -ne 0 ] || as_anybody=(setpriv --reuid=65534 --regid=65534 --clear-groups --)
if ! "${as_anybody[@]}" test -x "$home" || [ "$(printf %s "$data/.s.PGSQL.5432" | wc -c)" -gt 107 ]; then
    data=/var/tmp/ackhub-postgres-$(printf %s "$home" | sha256sum | cut -c1-12)
    echo "PostgreSQL can't work in $home: its files go to $data." >&2
fi
# Root reads the socket folder in any case; another user started PostgreSQL as itself.
private_url="postgresql:///ackhub?host=$data&user=ackhub"
# A shell that read $home/env has the private server's address in its environment.
if [ "${ACKHUB_DATABASE_URL:-$private_url}" = "$private_url" ]; then
    export ACKHUB_DATABASE_URL=$private_url
    need_packages "${database_packages[@]}"
    bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    mkdir -p "$data"
    [ "$(id -u)" -ne 0 ] || chown postgres:postgres "$data"
    chmod 700 "$data"
    in_data() { (cd "$data" && exec 9>&- && "${as_postgres[@]}" "$@"); }
    if ! in_data test -s "$data/data/PG_VERSION"; then
        in_data "$bin/initdb" -D "$data/data" -U ackhub --auth=trust --encoding=UTF8 --no-instructions >/dev/null
    fi
    stop_postgres() { in_data "$bin/pg_ctl" -D "$data/data" -m fast -s stop || true; }
    # A server that a killed quick start left behind is taken down first, so that this run owns the one it uses.
    in_data "$bin/pg_ctl" -D "$data/data" -s status >/dev/null 2>&1 && stop_postgres
    in_data "$bin/pg_ctl" -D "$data/data" -s -w -l "$data/log" \
        -o "-c listen_addresses='' -c unix_socket_directories='$data'" start
    in_data "$bin/psql" -qAt -h "$data" -U ackhub postgres -c "select 1 from pg_database where datname = 'ackhub'" |
        grep -q 1 || in_data "$bin/createdb" -h "$data" -U ackhub ackhub
fi

# --- The hub's own settings, kept for later commands --------------------------------------------------------------
free_port() { # the first port from $1 on that nobody listens on
    local port=$1
    while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
    echo "$port"
}
reachable() { # where a program on this machine calls a listener: the first of its addresses
    local address=${1%%,*}
    case $address in :* | 0.0.0.0:* | '[::]:'*) address=127.0.0.1:${address##*:} ;; esac
    echo "http://$address"
}
if [ -z "${ACKHUB_LISTEN:-}" ]; then export ACKHUB_LISTEN=127.0.0.1:$(free_port 8080); fi
if [ -z "${ACKHUB_ADMIN_LISTEN:-}" ]; then
    export ACKHUB_ADMIN_LISTEN=127.0.0.1:$(free_port $((${ACKHUB_LISTEN##*:} + 1)))
fi
hub=$(reachable "$ACKHUB_LISTEN")
admin=$(reachable "$ACKHUB_ADMIN_LISTEN")
# Somebody else's answer would be taken for the hub's; 7 is curl's "nobody listens".
for url in "$hub" "$admin"; do
    answer=0
    curl -s -o /dev/null --max-time 5 "$url" || answer=$?
    [ "$answer" -eq 7 ] || { echo "$url is taken: set ACKHUB_LISTEN and ACKHUB_ADMIN_LISTEN." >&2; exit 1; }
done
export ACKHUB_PUBLIC_URL=${ACKHUB_PUBLIC_URL:-$hub}
export ACKHUB_SPOOL_DIR=$home/spool
export ACKHUB_KEYS_FILE=$home/keys.json

[ -e "$ACKHUB_KEYS_FILE" ] || "$ackhub" keys new >&2
"$ackhub" migrate >&2
token=$("$ackhub" tokens create --account 1 --scopes mint,report --name quickstart)

(
    umask 077
    for name in ACKHUB_DATABASE_URL ACKHUB_LISTEN ACKHUB_ADMIN_LISTEN ACKHUB_PUBLIC_URL ACKHUB_SPOOL_DIR \
        ACKHUB_KEYS_FILE; do
        printf 'export %s=%q\n' "$name" "${!name}"
    done >"$home/env"
    printf 'export TOKEN=%q\n' "$token" >>"$home/env"
)

# --- Serve, play a launch, report -----------------------------------------------------------------------------------
# The hub gets a SIGTERM when this script dies, in whatever way.
setpriv --pdeathsig TERM -- "$ackhub" serve 2>"$home/hub.log" &
hub_pid=$!
for attempt in $(seq 150); do
    curl -fsS -o /dev/null "$admin/readyz" 2>/dev/null && break
    kill -0 "$hub_pid" 2>/dev/null || { tail -n 5 "$home/hub.log" >&2; exit 1; }
    [ "$attempt" -lt 150 ] || { echo "The hub did not become ready: $home/hub.log" >&2; exit 1; }
    sleep 0.1
done

status=0
ACKHUB_TOKEN=$token "$ackhub" simulate --url "$hub" --messages "${QUICKSTART_MESSAGES:-2000}" --seed 1 \
    --seconds 10 9>&- || status=$?
"$ackhub" reconcile || status=$?

if $once; then exit "$status"; fi
cat <<TEXT

The hub is at $hub, its metrics at $admin/metrics, its log in $home/hub.log.
Its settings and an API token, for curl and for ackhub's commands:  . $(printf %q "$home/env")
Ctrl-C stops it.
TEXT
wait "$hub_pid" || { echo "The hub has ended: $home/hub.log" >&2; exit 1; }
