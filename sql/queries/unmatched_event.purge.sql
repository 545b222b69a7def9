-- Parked events received before $1: nobody knows their message after so long. $2 rows at most, so that many are worked off in
-- portions.
delete from ackhub.unmatched_event
where ctid = any (array(select ctid from ackhub.unmatched_event where received_at < $1 limit $2::bigint))
