# shellcheck shell=bash
# Sourced by deploy/bench.sh: the hub's resident memory, idle and under load while PostgreSQL is away.

part_memory() {
    title "Memory"
    local row
    start_postgres memory
    make_database memory
    start_hub idle "$database"
    row=$(bench idle --url "$hub_url" --keys-file "$keys" --connections $((quick ? 1000 : 10000)) \
        --process "hub=$hub" --json) || failed "ackhub-bench idle"
    stop "$hub"
    local before held count
    count=$(figure connections) before=$(figure resident_bytes_before) held=$(figure resident_bytes)
    header "the hub's resident memory" MiB
    echo "| fresh | $(mebibytes "$before") |"
    echo "| $count idle connections, each after an answered hit | $(mebibytes "$held") |"
    sum_up "memory with $count idle connections" "≤ 64 MB" "$(mebibytes "$held") MiB" "$held > 0 && $held <= 64000000"
    echo
    load_without_postgres "$count"
    drop_postgres memory
    rm -rf "$work/spool-idle" "$work/spool-memory"
}

figure() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" <<<"$row"; } # figure KEY: of the JSON in row
mebibytes() { calculate "$1 / 1048576" %.1f; }

# load_without_postgres ANSWERED: PostgreSQL is stopped in the first and the last third of a run. Every hit is answered,
# and neither time does the hub need more at the end than at the beginning: what can't be loaded lies in the spool.
load_without_postgres() {
    local third=$((quick ? 4 : 20)) load sampler answered
    stop_postgres memory
    start_hub memory "$database"
    (while sample; do sleep 0.2; done) >"$work/samples" 2>/dev/null &
    sampler=$!
    pids+=("$sampler")
    bench compare --runs 1 --duration $((3 * third)) --warm-up 0 --connections 64 --row load --columns rate,answered \
        --side hub --url "$hub_url" --keys-file "$keys" --links $((quick ? 500000 : 5000000)) >"$work/load" &
    load=$!
    pids+=("$load")
    sleep "$third"
    start_postgres memory
    sleep "$third"
    stop_postgres memory
    finish "$load" || failed "a hit was not answered while PostgreSQL was stopped"
    stop "$sampler"
    start_postgres memory
    row=$(cat "$work/load")
    answered=$(cell "$row" 3)
    # Means of half thirds, in MiB, and the greatest of all. What comes before the first quarter of a third is left out:
    # buffers are made then.
    local -a mean
    read -ra mean < <(awk -v third="$third" '
        NR == 1 { start = $1 }
        { half = int(2 * ($1 - start) / third) }
        $1 - start >= third / 4 && half < 6 { sum[half] += $2; count[half]++ }
        $2 > greatest { greatest = $2 }
        function mebibytes(bytes) { return sprintf("%.1f ", bytes / 1048576) }
        END {
            for (half = 0; half < 6; half++) printf mebibytes(count[half] ? sum[half] / count[half] : 0)
            print mebibytes(greatest)
        }' "$work/samples")
    local greatest=${mean[6]}
    header "$(cell "$row" 2) hits/s" "MiB in the first half" "MiB in the second half"
    echo "| PostgreSQL is stopped, $third s | ${mean[0]} | ${mean[1]} |"
    echo "| PostgreSQL runs, $third s | ${mean[2]} | ${mean[3]} |"
    echo "| PostgreSQL is stopped again, $third s | ${mean[4]} | ${mean[5]} |"
    echo
    echo "The greatest of all samples: $greatest MiB."
    sum_up "memory under load while PostgreSQL is down" "flat" \
        "${mean[0]} to ${mean[1]} MiB, again ${mean[4]} to ${mean[5]} MiB" \
        "${mean[0]} > 0 && ${mean[1]} <= 1.05 * ${mean[0]} && ${mean[4]} > 0 && ${mean[5]} <= 1.05 * ${mean[4]}"
    sum_up "… the greatest of all samples" "≤ 64 MB" "$greatest MiB" "$greatest > 0 && $greatest * 1.048576 <= 64"
    check_stored "$database" $(($1 + answered))
    stop "$hub"
}

# A line: seconds, and the resident bytes of the hub; false when it has ended.
sample() {
    awk -v now="$(date +%s.%N)" '/^VmRSS:/ { print now, $2 * 1024; found = 1 } END { exit !found }' "/proc/$hub/status"
}
