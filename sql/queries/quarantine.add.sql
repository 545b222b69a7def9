insert into ackhub.quarantine (hub, position, record_index, record, sql_state, reason)
values ($1, $2, $3::bigint, $4, $5, $6)
on conflict (hub, position, record_index) do nothing
