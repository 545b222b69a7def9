-- Takes the key if it is free or was taken more than 24 hours ago.
insert into ackhub.mint_request as r (account_id, request, digest, first_sent_at, first_sent_at_nanos)
values ($1, $2, $3, $4, $5)
on conflict (account_id, request) do update set digest = excluded.digest, first_sent_at = excluded.first_sent_at,
    first_sent_at_nanos = excluded.first_sent_at_nanos, created_at = now()
where r.created_at < now() - interval '24 hours'
returning first_sent_at
