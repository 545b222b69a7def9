select is_test, provider, class, sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived,
    sum(opened)::bigint as opened, sum(acks_total)::bigint as acks_total, sum(opens_total)::bigint as opens_total
from ackhub.launch_total
where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
group by is_test, provider, class
order by provider, class, is_test
