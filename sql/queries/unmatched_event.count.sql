-- The events parked for account $1; counting ends at $2, so that a full account costs no more than its limit.
select count(*) from (select from ackhub.unmatched_event where account_id = $1 limit $2::bigint) u
