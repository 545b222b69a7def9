select ackhub.ensure_event_day((date '1970-01-01' + $1::bigint::integer))
