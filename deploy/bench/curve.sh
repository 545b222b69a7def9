# shellcheck shell=bash
# Sourced by deploy/bench.sh: whether an event's cost depends on how much there is of anything. Each row is the median
# of runs of so many hits, the CPU time of all hubs and PostgreSQL until all is loaded.

part_curve() {
    local events=$((quick ? 50000 : 300000)) row answered
    title "The scaling curve"
    start_postgres curve
    curve_of_loops
    curve_of_hubs
    curve_of_launches
    curve_of_stored
    drop_postgres curve
}

curve_header() {
    header "$1" "CPU µs an event" "hits/s" "seconds until all is loaded"
    : >"$work/checks"
}

# curve_row NAME LOOPS HUBS OPTION...: of the hubs (NAME=PID,…) that run, with so many loops together, 64 connections
# for each; sets answered, the events of all runs.
curve_row() {
    local name=$1 connections=$((64 * $2)) hubs=$3
    shift 3
    row=$(compare --runs "$runs" --requests "$events" --duration 600 --warm-up 0 --connections "$connections" \
        --row "$name" --columns event-cpu,rate,drain,answered \
        --side hub --url "$hub_url" --keys-file "$keys" --links "$events" \
        --process "$hubs,postgres=$postmaster" --check-database "$database" --drain-seconds 600 "$@")
    cut -d '|' -f 1-5 <<<"$row" | sed 's/$/|/'
    answered=$(cell "$row" 5)
}

# check_row STORED: its result is told below the table.
check_row() { check_stored "$database" "$1" | sed -n "s/^Answered/- $(cell "$row" 1): answered/p" >>"$work/checks"; }
tell_checks() {
    echo
    cat "$work/checks"
    echo
}

drop_database() { in_postgres "$postgres_bin/dropdb" -h "$work/curve" -U ackhub "$1"; }

curve_of_loops() {
    local loops
    curve_header "event loops of one hub"
    for loops in 1 2 4; do
        make_database curve "loops$loops"
        start_hub "loops$loops" "$database" "$loops"
        curve_row "$loops" "$loops" "hub=$hub"
        check_row "$answered"
        leave_hub "loops$loops"
    done
    tell_checks
}

leave_hub() { # leave_hub NAME: with its spool and its database
    stop "$hub"
    drop_database "$1"
    rm -rf "$work/spool-$1"
}

curve_of_launches() {
    local launches
    curve_header "launches in flight"
    for launches in 1 1000 $((quick ? 10000 : 100000)); do
        make_database curve "launches$launches"
        start_hub "launches$launches" "$database"
        curve_row "$launches" 1 "hub=$hub" --launches "$launches"
        check_row "$answered"
        leave_hub "launches$launches"
    done
    tell_checks
}

curve_of_stored() {
    local tenth stored=0
    curve_header "events stored before"
    make_database curve stored
    start_hub stored "$database"
    for tenth in $((quick ? 1 : 10)) $((quick ? 4 : 100)) $((quick ? 8 : 500)); do
        fill $((tenth * 100000 - stored)) 100
        curve_row "$(calculate "$tenth / 10" %.1f) M" 1 "hub=$hub"
        stored=$((stored + filled + answered))
        check_row "$stored"
    done
    leave_hub stored
    tell_checks
}

# The connections take turns among the hubs: all have the same work.
curve_of_hubs() {
    local count number pid hubs first more processes
    curve_header "hubs on one database"
    for count in 1 2 3 4; do
        make_database curve "hubs$count"
        hubs=() more='' processes=''
        for ((number = 0; number < count; number++)); do
            start_hub "hubs$count-$number" "$database" 1 "$number"
            hubs+=("$hub")
            processes+=${processes:+,}hub$number=$hub
            [ "$number" -gt 0 ] || first=$hub_url
            [ "$number" -eq 0 ] || more+=${more:+,}$hub_url
        done
        hub_url=$first
        curve_row "$count" "$count" "$processes" ${more:+--more-urls "$more"}
        check_row "$answered"
        for pid in "${hubs[@]}"; do stop "$pid"; done
        drop_database "hubs$count"
        rm -rf "$work/spool-hubs$count"-*
    done
    tell_checks
}
