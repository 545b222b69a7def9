-- A record that has no place in a batch ($3 null: it was taken from unmatched_event) gets the next number below 0.
insert into ackhub.quarantine (hub, position, record_index, record, sql_state, reason)
select $1, $2, coalesce($3::bigint, least(min(record_index), 0) - 1), $4, $5, $6
from ackhub.quarantine
where hub = $1 and position = $2
on conflict (hub, position, record_index) do nothing
