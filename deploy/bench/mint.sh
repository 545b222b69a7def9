# shellcheck shell=bash
# Sourced by deploy/bench.sh: how many messages a core mints, in the sender's own process and over HTTP.

part_mint() {
    title "Minting"
    start_postgres mint
    make_database mint
    start_hub mint "$database"
    make_token mint
    # The kernel counts in ticks of 10 ms: a run should last a hundred.
    local lines=$((quick ? 20000 : 300000)) row
    # shellcheck disable=SC2016 # the dollars are awk's
    awk -v lines="$lines" 'BEGIN { for (i = 1; i <= lines; i++)
        printf "{\"campaign_id\":7,\"provider\":\"android-firebase\",\"profile_id\":%d,\"subscription_id\":%d}\n", i, i
    }' >"$work/links.ndjson"
    # shellcheck disable=SC2016
    awk -v lines="$lines" 'BEGIN { for (i = 1; i <= lines; i++)
        printf "{\"campaign_id\":7,\"provider\":\"android-firebase\",\"profile_id\":%d,\"subscription_id\":%d," \
            "\"token\":\"device-%d\",\"message\":{\"title\":\"Shipped\",\"body\":\"It is on its way\"}}\n", i, i, i
    }' >"$work/payloads.ndjson"
    header minting "messages a second of CPU" "CPU µs a message"
    row=$(bench mint --runs "$runs" --messages $((quick ? 100000 : 1000000)) \
        --row "in process: both links and the uid") || failed "ackhub-bench mint"
    echo "$row"
    sum_up_mint 350000 350
    mint_row "over HTTP, NDJSON: links" /v1/links "$work/links.ndjson"
    sum_up_mint 100000 100
    mint_row "over HTTP, NDJSON: finished payloads" /v1/payloads "$work/payloads.ndjson"
    echo
    echo "$(reconcile "$database")"
    stop "$hub"
    drop_postgres mint
    rm -rf "$work/spool-mint" "$work"/*.ndjson
}

# make_token NAME: for account 1; sets token_file.
make_token() {
    token_file=$work/token-$1
    (
        umask 077
        ACKHUB_DATABASE_URL=$database "$bin/ackhub" tokens create --account 1 --scopes mint,report >"$token_file"
    )
}

mint_row() { # mint_row NAME PATH FILE: CPU time of the hub alone; prints and sets row
    row=$(bench post --url "$hub_url" --path "$2" --body "$3" --token-file "$token_file" --process "hub=$hub" \
        --runs "$runs" --row "$1") || failed "ackhub-bench post $2"
    echo "$row"
}

sum_up_mint() { # sum_up_mint MESSAGES THOUSANDS
    sum_up "minting $(cell "$row" 1)" "≥ $2 k messages/s a core" \
        "$(calculate "$(cell "$row" 2) / 1000") k/s" "$(cell "$row" 2) >= $1"
}
