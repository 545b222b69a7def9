#!/usr/bin/env bash
# What a hit costs in instructions, allocations and system calls, beside its budgets: no busy machine fools it.
#   deploy/bench/budgets.sh [folder with the release binaries; default: builds them]
# Each case runs with so many requests and with twice as many; the difference is theirs alone, without start and end.
# Callgrind counts instructions of user space and calls to the allocator, strace the system calls, both of all threads.
# Budgets: one file a case in deploy/bench/budgets. Exit status, as diff's: 0 all kept, 1 one is exceeded, 2 not all
# could be measured.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Until the whole table is printed, whatever ends it: not all was measured.
exit_status=2 work='' tool=''
cleanup() {
    [ -z "$tool" ] || kill -TERM "$(hub)" 2>/dev/null || true
    wait
    [ -z "$work" ] || rm -rf "$work"
    exit "$exit_status"
}
trap cleanup EXIT

# The hub's process: valgrind becomes it, strace's child is it.
hub() { pgrep -P "$tool" || echo "$tool"; }

. deploy/packages.sh

need_packages valgrind strace curl procps binutils
if [ $# -gt 0 ]; then
    bin=$1
else
    need_swift
    need_packages "${build_packages[@]}"
    swift build -c release --product ackhub >&2
    swift build -c release --product ackhub-bench >&2
    bin=$(swift build -c release --show-bin-path)
fi
budgets=$PWD/deploy/bench/budgets
port=${BUDGETS_PORT:-9026}
connections=64
for taken in "$port" $((port + 1)); do
    ! (exec 3<>"/dev/tcp/127.0.0.1/$taken") 2>/dev/null || { echo "Somebody listens on $taken: BUDGETS_PORT" >&2; exit 2; }
done

work=$(mktemp -d /var/tmp/ackhub-budgets-XXXXXX)

# Valgrind can't read the debug information that Swift writes; the names of functions stay.
strip -g -o "$work/ackhub" "$bin/ackhub"
ackhub=$work/ackhub
export ACKHUB_PUBLIC_URL=http://127.0.0.1:$port ACKHUB_KEYS_FILE=$work/keys.json ACKHUB_LOOPS=1 ACKHUB_DRAIN_SECONDS=0
export ACKHUB_LISTEN=127.0.0.1:$port ACKHUB_ADMIN_LISTEN=127.0.0.1:$((port + 1)) ACKHUB_SPOOL_DIR=$work/spool
# Nobody listens there: the loader waits, the hits do not.
export ACKHUB_DATABASE_URL='host=127.0.0.1 port=1 user=nobody connect_timeout=1'
"$ackhub" keys new >/dev/null
"$ackhub" mint --account 1 --campaign 7 --provider android-firebase --profile 1 --subscription 1 --count 1000 --paths |
    sed 's/....$/AAAA/' >"$work/damaged"

# --- A run ------------------------------------------------------------------------------------------------------------
# hit CASE COUNT: sends so many requests and looks whether each got its answer.
hit() {
    local status=204 options=(--keys-file "$ACKHUB_KEYS_FILE" --links 20000)
    case $1 in
    new-connection) options+=(--new-connections) ;;
    damaged) status=404 options=(--targets "$work/damaged") ;;
    esac
    "$bin/ackhub-bench" run --url "http://127.0.0.1:$port" --connections "$connections" --requests "$2" --warm-up 0 \
        --duration 300 --timeout 60 "${options[@]}" >"$work/load" 2>&1 || true
    grep -q "^answered $2 ($status: $2)," "$work/load" && return 0
    echo "$1: not every request was answered $status:" >&2
    cat "$work/load" >&2
    return 1
}

# run CASE COUNT TOOL...: a hub under that tool, from its start to its end.
run() {
    local case=$1 count=$2 tries=300
    shift 2
    rm -rf "$ACKHUB_SPOOL_DIR"
    "$@" "$ackhub" serve 2>"$work/log" >&2 &
    tool=$!
    until curl -fsS -o /dev/null "http://127.0.0.1:$((port + 1))/readyz" 2>/dev/null; do
        tries=$((tries - 1))
        if [ $tries -eq 0 ] || ! kill -0 "$tool" 2>/dev/null; then
            echo "$case: the hub does not get ready under $1:" >&2
            tail -n 5 "$work/log" >&2
            exit 2
        fi
        sleep 0.1
    done
    hit "$case" "$count" || { tail -n 5 "$work/log" >&2; exit 2; }
    kill -TERM "$(hub)"
    wait "$tool"
    tool=
}

# --- What the tools say -----------------------------------------------------------------------------------------------
callgrind=(valgrind --tool=callgrind "--callgrind-out-file=$work/callgrind")

instructions() { awk '/^totals:/ { print $2 }' "$work/callgrind"; }
# A function's name stands with its number once, at a call (cfn) or where its own lines begin (fn).
allocations() {
    awk '
        /^c?fn=/ {
            number = substr($0, index($0, "=") + 1, index($0, ")") - index($0, "="))
            name = substr($0, index($0, ")") + 2)
            sub(/\x27[0-9]+$/, "", name)
            if (name != "") names[number] = name
            if (/^cfn=/) called = number
        }
        /^calls=/ { split(substr($0, 7), count, " "); calls[called] += count[1] }
        END {
            for (number in calls)
                if (names[number] ~ /^(malloc|calloc|realloc|posix_memalign|aligned_alloc)$/) sum += calls[number]
            print sum + 0
        }' "$work/callgrind"
}
# system_calls FILE NAME: of that kind; "other" is all that have no budget of their own.
system_calls() {
    awk -v wanted="$2" -v known="$(cut -f 1 "$budgets/$case.tsv" | tr '\n' ' ')" '
        BEGIN { split(known, list, " "); for (i in list) isKnown[list[i]] = 1 }
        $NF == "total" { isWhole = 1; next }
        $4 ~ /^[0-9]+$/ { if ($NF == wanted || (wanted == "other" && !($NF in isKnown))) sum += $4 }
        END { if (!isWhole) exit 1; print sum + 0 }' "$1"
}

# difference LESS MORE COUNT: for each; nothing where a tool said nothing.
difference() {
    [ -n "$1" ] && [ -n "$2" ] || return 0
    awk -v less="$1" -v more="$2" -v count="$3" 'BEGIN { printf "%.3f", (more - less) / count }'
}

# --- The table --------------------------------------------------------------------------------------------------------
isExceeded='' isMissing=''
echo "| case | a hit's | measured | budget |"
echo "|---|---|---|---|"
# row CASE MEASURE VALUE
row() {
    local budget verdict
    budget=$(awk -F'\t' -v measure="$2" '$1 == measure { print $2 }' "$budgets/$1.tsv")
    # Nothing runs without instructions; of the rest there may be none.
    verdict=$(awk -v measure="$2" -v value="$3" -v budget="$budget" 'BEGIN {
        if (value == "" || (measure == "instructions" && value <= 0)) print " **not measured**"
        else if (budget == "") print " **no budget**"
        else if (value + 0 > budget + 0) print " **exceeded**"
    }')
    case $verdict in
    "") ;;
    *exceeded*) isExceeded=1 ;;
    *) isMissing=1 ;;
    esac
    echo "| $1 | $2 | $3$verdict | $budget |"
}

measure_hits() {
    local count=4000 name less=() more=()
    case=$1
    run "$case" $count "${callgrind[@]}"
    less=("$(instructions)" "$(allocations)")
    run "$case" $((2 * count)) "${callgrind[@]}"
    more=("$(instructions)" "$(allocations)")
    row "$case" instructions "$(difference "${less[0]}" "${more[0]}" $count)"
    row "$case" allocations "$(difference "${less[1]}" "${more[1]}" $count)"
    run "$case" $count strace -f -c -o "$work/calls-less"
    run "$case" $((2 * count)) strace -f -c -o "$work/calls-more"
    while IFS=$'\t' read -r name _; do
        case $name in \#* | instructions | allocations | "") continue ;; esac
        row "$case" "$name" "$(
            difference "$(system_calls "$work/calls-less" "$name")" "$(system_calls "$work/calls-more" "$name")" $count
        )"
    done <"$budgets/$case.tsv"
}

measure_minting() {
    local count=10000 numbers=() n
    for n in $count $((2 * count)); do
        # Within LinkMinter.mint alone, by its mangled name.
        # shellcheck disable=SC2016 # the dollar is Swift's
        "${callgrind[@]}" '--toggle-collect=$s8HubLinks10LinkMinterC4mint*' "$ackhub" mint --account 1 --campaign 7 \
            --provider android-firebase --profile 1 --subscription 1 --count "$n" --paths 2>"$work/log" >"$work/minted"
        [ "$(wc -l <"$work/minted")" -ge "$n" ] || { tail -n 5 "$work/log" >&2; exit 2; }
        numbers+=("$(instructions)" "$(allocations)")
    done
    row minting instructions "$(difference "${numbers[0]}" "${numbers[2]}" $count)"
    row minting allocations "$(difference "${numbers[1]}" "${numbers[3]}" $count)"
}

for case in keep-alive new-connection damaged minting; do
    [ -r "$budgets/$case.tsv" ] || { echo "No budgets: $budgets/$case.tsv" >&2; exit 2; }
done
measure_hits keep-alive
measure_hits new-connection
measure_hits damaged
measure_minting
if [ -z "$isMissing" ]; then exit_status=$((isExceeded ? 1 : 0)); fi
