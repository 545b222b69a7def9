-- A request may be repeated for 24 hours, and its count may wait in a hub's spool for some days more. $1 rows at most.
delete from ackhub.sent_request
where ctid = any (array(select ctid from ackhub.sent_request where updated_at < now() - interval '7 days' limit $1::bigint))
