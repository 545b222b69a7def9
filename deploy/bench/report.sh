# shellcheck shell=bash
# Sourced by deploy/bench.sh: how long a launch's report takes, with few and with many events stored.

part_report() {
    title "A launch's report"
    local few=$((quick ? 100000 : 1000000)) many=$((quick ? 400000 : 20000000)) launches=100 row
    start_postgres report
    make_database report
    make_token report
    start_hub report "$database"
    header "one connection, $launches launches in turn" "p50, µs" "p99, µs" "p99.9, µs" "reports/s"
    fill "$few" "$launches"
    bench launches --database "$database" --count "$launches" >"$work/reports" || failed "ackhub-bench launches"
    report_row "$few events stored"
    local p99_few
    p99_few=$(cell "$row" 3)
    fill $((many - few)) "$launches"
    bench launches --database "$database" --count "$launches" >"$work/reports" || failed "ackhub-bench launches"
    report_row "$many events stored"
    local p99
    p99=$(cell "$row" 3)
    sum_up "launch report at $many events: p99" "≤ 10 ms" "$(calculate "$p99 / 1000" %.2f) ms" "$p99 <= 10000"
    # Two runs of the same thing differ by that much here.
    sum_up "… beside $few events" "no slower" "$(calculate "$p99 / $p99_few" %.2f) ×" "$p99 <= 1.1 * $p99_few"
    check_stored "$database" "$many"
    stop "$hub"
    drop_postgres report
    rm -rf "$work/spool-report"
}

# fill EVENTS LAUNCHES: more events through the loader, three acks for an open, and then what PostgreSQL does by itself
# in time; sets filled, whole fours of events.
fill() {
    filled=$(($1 / 4 * 4))
    bench fill --database "$database" --events "$filled" --launches "$2" --kinds ack:3,open:1 --directory "$work" \
        >"$work/fill.log" || failed "ackhub-bench fill $filled: $(tail -n 1 "$work/fill.log")"
    sql "$database" 'vacuum (analyze)'
}

report_row() { # report_row NAME: prints and sets row
    row=$(compare --runs "$runs" --duration "$seconds" --warm-up 1 --connections 1 --row "$1" \
        --columns p50,p99,p99.9,rate --side hub --url "$hub_url" --targets "$work/reports" --token-file "$token_file")
    echo "$row"
}
