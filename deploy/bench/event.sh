# shellcheck shell=bash
# Sourced by deploy/bench.sh: what a whole event costs until PostgreSQL has stored and counted it, how many a second the
# machine takes for a long time, and how long a hit takes meanwhile.

# beside_peer MODE: what a comparison has for the collector in Go, with a PostgreSQL of its own; empty without --peers.
beside_peer() {
    peer_side=()
    [ -n "$peers" ] || return 0
    local hub_postmaster=$postmaster hub_database=$database
    start_postgres "peer-$1"
    make_database "peer-$1" peer
    start_peer "$1" "$database"
    peer_side=(--side collector --url "$peer_url" --targets "$work/peer-paths"
        --process "collector=$peer,postgres=$postmaster")
    postmaster=$hub_postmaster database=$hub_database
}

leave_peer() { # leave_peer MODE
    [ -n "$peers" ] || return 0
    stop "$peer"
    drop_postgres "peer-$1"
}

hub_side() { # hub_side LINKS: what a comparison has for the hub; sets side
    side=(--side hub --url "$hub_url" --keys-file "$keys" --links "$1" --process "hub=$hub,postgres=$postmaster"
        --check-database "$database" --drain-seconds 300)
}

part_event() {
    title "A whole event"
    start_postgres event
    make_database event
    start_hub event "$database"
    beside_peer copy
    local row side
    hub_side $((150000 * (seconds + 1)))
    if [ -n "$peers" ]; then
        header "a whole event" "hub and PostgreSQL, µs CPU" "Go collector (copy) and PostgreSQL, µs CPU" ratio \
            "hub, hits/s" "collector, hits/s" "hub: seconds until all is loaded"
        row=$(compare --runs "$runs" --duration "$seconds" --warm-up 1 --connections 64 --row "64 connections" \
            --columns event-cpu,rate,drain,answered "${side[@]}" "${peer_side[@]}" --settle-seconds 2)
        cut -d '|' -f 1-8 <<<"$row" | sed 's/$/|/'
        sum_up_event "$(cell "$row" 3)" "$(cell "$row" 4) × (collector $(cell "$row" 3) µs)"
        check_stored "$database" "$(cell "$row" 9)"
    else
        header "a whole event" "hub and PostgreSQL, µs CPU" "hits/s" "seconds until all is loaded"
        row=$(compare --runs "$runs" --duration "$seconds" --warm-up 1 --connections 64 --row "64 connections" \
            --columns event-cpu,rate,drain,answered "${side[@]}")
        cut -d '|' -f 1-5 <<<"$row" | sed 's/$/|/'
        sum_up_event 17 "the collector was not measured: --peers"
        check_stored "$database" "$(cell "$row" 5)"
    fi
    leave_peer copy
    stop "$hub"
    drop_postgres event
    rm -rf "$work/spool-event"
}

sum_up_event() { # sum_up_event PEER NOTE
    sum_up "whole event, exact counts and rollups in: CPU of hub and PostgreSQL" "≤ Go collector, copy mode (≈ 17 µs)" \
        "$(cell "$row" 2) µs, $2" "$(cell "$row" 2) <= $1"
}

# The longest run. One loop here, too: PostgreSQL and the load generator need the other core of the two.
part_throughput() {
    title "Durable throughput"
    start_postgres throughput
    make_database throughput
    start_hub throughput "$database"
    beside_peer insert
    # More links than can be hit, since a repeat costs less than a first event; all are laid in memory, 250 bytes each.
    local row side links=$((110000 * (long_seconds + 1)))
    [ "$links" -le 10000000 ] || links=10000000
    hub_side "$links"
    side+=(--duration "$long_seconds" --warm-up 1)
    if [ -n "$peers" ]; then
        header "256 connections, $long_seconds s" "hub, hits/s" "Go collector (insert), hits/s" ratio \
            "hub: seconds until all is loaded" "hub: answered" "hub: links hit again"
        row=$(compare --runs 1 --connections 256 --row "stored before it is answered" \
            --columns rate,drain,answered,repeats "${side[@]}" \
            "${peer_side[@]}" --duration $((long_seconds < 10 ? long_seconds : 10)) --warm-up 1)
        awk -F'|' -v OFS='|' '{ print $1, $2, $3, $4, $5, $6, $8, $10, "" }' <<<"$row"
        sum_up "durable throughput for $long_seconds s" "≥ 10 × Go collector, insert mode (≈ 7 k/s)" \
            "$(cell "$row" 4) × ($(cell "$row" 2)/s, collector $(cell "$row" 3)/s)" "$(cell "$row" 4) >= 10"
        sum_up_backlog "$(cell "$row" 5)"
        check_stored "$database" "$(cell "$row" 7)"
    else
        header "256 connections, $long_seconds s" "hits/s" "seconds until all is loaded" answered "links hit again"
        row=$(compare --runs 1 --connections 256 --row "stored before it is answered" \
            --columns rate,drain,answered,repeats "${side[@]}")
        echo "$row"
        sum_up "durable throughput for $long_seconds s" "≥ 10 × Go collector, insert mode (≈ 7 k/s)" \
            "$(cell "$row" 2)/s, the collector was not measured: --peers" "$(cell "$row" 2) >= 70000"
        sum_up_backlog "$(cell "$row" 3)"
        check_stored "$database" "$(cell "$row" 4)"
    fi
    greatest_rate=$(cell "$row" 2)
    leave_peer insert
    stop "$hub"
    drop_postgres throughput
    rm -rf "$work/spool-throughput"
}

sum_up_backlog() {
    sum_up "… and the backlog is 0 again" "within 10 s" "after $1 s" "length(\"$1\") && \"$1\" != \"–\" && $1 <= 10"
}

# An open loop, at half of the greatest rate: what the throughput's run reached, or a short one here.
part_latency() {
    title "Latency of a durable hit"
    start_postgres latency
    make_database latency
    start_hub latency "$database"
    local row side answered=0 rate=$greatest_rate
    side=(--side hub --url "$hub_url" --keys-file "$keys")
    if [ -z "$rate" ]; then
        row=$(compare --runs 1 --connections 256 --duration "$seconds" --warm-up 1 --row greatest \
            --columns rate,answered "${side[@]}" --links $((110000 * (seconds + 1))) \
            --check-database "$database" --drain-seconds 300)
        rate=$(cell "$row" 2) answered=$(cell "$row" 3)
    fi
    rate=$((rate / 2))
    header "$rate hits/s, half of the greatest rate" "p50, µs" "p99, µs" "p99.9, µs"
    latency_row "PostgreSQL runs"
    stop_postgres latency
    latency_row "PostgreSQL is stopped"
    start_postgres latency
    check_stored "$database" "$answered"
    stop "$hub"
    drop_postgres latency
    rm -rf "$work/spool-latency"
}

latency_row() {
    row=$(compare --runs "$runs" --duration "$seconds" --warm-up 1 --connections 512 --rate "$rate" --row "$1" \
        --columns p50,p99,p99.9,answered "${side[@]}" --links $((rate * (seconds + 1))))
    cut -d '|' -f 1-5 <<<"$row" | sed 's/$/|/'
    answered=$((answered + $(cell "$row" 5)))
    sum_up "latency at half of the greatest rate: $1" "p50, p99 and p99.9 are told" \
        "$(cell "$row" 2), $(cell "$row" 3) and $(cell "$row" 4) µs" "$(cell "$row" 4) > 0"
}
