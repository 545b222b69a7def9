-- A key is good for 24 hours. $1 rows at most, so that a long neglected table is worked off in portions.
delete from ackhub.mint_request
where ctid = any (array(select ctid from ackhub.mint_request where created_at < now() - interval '24 hours' limit $1::bigint))
