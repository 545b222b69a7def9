# shellcheck shell=bash
# Sourced by deploy/bench.sh: what one durable hit costs, beside nginx. The hub has one loop and no PostgreSQL behind
# it, so its CPU time is the hit's own.

part_hit() {
    title "A durable hit"
    start_nginx
    ACKHUB_PUBLIC_URL=$nginx_url ACKHUB_KEYS_FILE=$keys "$bin/ackhub" mint --account 1 --campaign 7 \
        --provider android-firebase --profile 1 --subscription 1 --count 100000 --paths >"$work/paths"
    # Nobody listens there: the loader waits, the hits do not.
    start_hub hit 'host=127.0.0.1 port=1 user=nobody connect_timeout=1'
    local row
    header "a durable hit" "hub, µs CPU" "nginx, µs CPU" ratio "hub, hits/s" "nginx, hits/s"
    hit_row "keep-alive, 64 connections" --connections 64
    sum_up_hit 1.25
    hit_row "keep-alive, 512 connections" --connections 512
    sum_up_hit 1.25
    hit_row "a new connection each, 64 at a time" --connections 64 --new-connections
    sum_up_hit 1.15
    stop "$hub"
    stop "$nginx"
    rm -rf "$work/spool-hit"
}

hit_row() { # hit_row NAME OPTION...: prints and sets row
    row=$(compare --runs "$runs" --duration "$seconds" --warm-up 1 --row "$@" \
        --side hub --url "$hub_url" --keys-file "$keys" --links 200000 --process "hub=$hub" \
        --side nginx --url "$nginx_url" --targets "$work/paths" --process "nginx=$nginx")
    echo "$row"
}

sum_up_hit() { # sum_up_hit RATIO
    local ratio
    ratio=$(cell "$row" 4)
    sum_up "a durable hit, $(cell "$row" 1): hub CPU" "≤ $1 × nginx" \
        "$ratio × ($(cell "$row" 2) µs, nginx $(cell "$row" 3) µs)" "$ratio <= $1"
}
