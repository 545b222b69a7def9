# shellcheck shell=bash
# Sourced by deploy/bench.sh: what a whole event costs until PostgreSQL has stored and counted it, how many a second the
# machine takes for a long time, and how long a hit takes meanwhile.

not_compared="the collector was not measured, which --peers does"

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

# hub_side LINKS KINDS: what a comparison has for the hub; sets side.
hub_side() {
    side=(--side hub --url "$hub_url" --keys-file "$keys" --links "$1" --kinds "$2"
        --process "hub=$hub,postgres=$postmaster" --check-database "$database" --drain-seconds 300)
}

# An ack of a new message is the dearest event: it stores the message and the event. An open behind its ack finds both.
part_event() {
    title "A whole event"
    start_postgres event
    make_database event
    start_hub event "$database"
    beside_peer copy
    local row answered=0
    if [ -n "$peers" ]; then
        header "a whole event, 64 connections" "hub and PostgreSQL, µs CPU" \
            "Go collector (copy) and PostgreSQL, µs CPU" ratio "hub, hits/s" "collector, hits/s" \
            "hub: seconds until all is loaded" "hub: links hit again"
    else
        header "a whole event, 64 connections" "hub and PostgreSQL, µs CPU" "hits/s" "seconds until all is loaded" \
            "links hit again"
    fi
    event_row "acks only: every event a new message" ack
    sum_up_event
    event_row "ack and open of one message in turn" ack,open
    check_stored "$database" "$answered"
    leave_peer copy
    stop "$hub"
    drop_postgres event
    rm -rf "$work/spool-event"
}

event_row() { # event_row NAME KINDS: prints and sets row, and adds to answered
    local side options=(--runs "$runs" --duration "$seconds" --warm-up 1 --connections 64 --row "$1"
        --columns event-cpu,rate,drain,answered,repeats)
    hub_side $((150000 * (seconds + 1))) "$2"
    if [ -n "$peers" ]; then
        row=$(compare "${options[@]}" "${side[@]}" "${peer_side[@]}" --settle-seconds 2)
        awk -F'|' -v OFS='|' '{ print $1, $2, $3, $4, $5, $6, $7, $8, $12, "" }' <<<"$row"
        answered=$((answered + $(cell "$row" 9)))
    else
        row=$(compare "${options[@]}" "${side[@]}")
        awk -F'|' -v OFS='|' '{ print $1, $2, $3, $4, $5, $7, "" }' <<<"$row"
        answered=$((answered + $(cell "$row" 5)))
    fi
}

sum_up_event() {
    local what="whole event, each a new message, exact counts and rollups in: CPU of hub and PostgreSQL"
    if [ -n "$peers" ]; then
        sum_up "$what" "≤ Go collector, copy mode" \
            "$(cell "$row" 4) × ($(cell "$row" 2) µs, collector $(cell "$row" 3) µs)" \
            "$(cell "$row" 2) > 0 && $(cell "$row" 2) <= $(cell "$row" 3)"
    else
        sum_up "$what" "≤ Go collector, copy mode" "$(cell "$row" 2) µs; $not_compared"
    fi
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
    local load="256 connections, $long_seconds s, ack and open of one message in turn"
    [ "$links" -le 10000000 ] || links=10000000
    hub_side "$links" ack,open
    side+=(--duration "$long_seconds" --warm-up 1)
    if [ -n "$peers" ]; then
        header "$load" "hub, hits/s" "Go collector (insert), hits/s" ratio \
            "hub: seconds until all is loaded" "hub: answered" "hub: links hit again"
        row=$(compare --runs 1 --connections 256 --row "stored before it is answered" \
            --columns rate,drain,answered,repeats "${side[@]}" \
            "${peer_side[@]}" --duration $((long_seconds < 10 ? long_seconds : 10)) --warm-up 1)
        awk -F'|' -v OFS='|' '{ print $1, $2, $3, $4, $5, $6, $8, $10, "" }' <<<"$row"
        sum_up "durable throughput for $long_seconds s" "≥ 10 × Go collector, insert mode" \
            "$(cell "$row" 4) × ($(cell "$row" 2)/s, collector $(cell "$row" 3)/s)" "$(cell "$row" 4) >= 10"
        sum_up_backlog "$(cell "$row" 5)"
        check_stored "$database" "$(cell "$row" 7)"
    else
        header "$load" "hits/s" "seconds until all is loaded" answered "links hit again"
        row=$(compare --runs 1 --connections 256 --row "stored before it is answered" \
            --columns rate,drain,answered,repeats "${side[@]}")
        echo "$row"
        sum_up "durable throughput for $long_seconds s" "≥ 10 × Go collector, insert mode" \
            "$(cell "$row" 2)/s; $not_compared"
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
    sum_up "latency at half of the greatest rate: $1" "no target: p50, p99 and p99.9 are told" \
        "$(cell "$row" 2), $(cell "$row" 3) and $(cell "$row" 4) µs"
}
