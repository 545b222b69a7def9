-- $1 account, null for all.
select
    (select count(*) from (select distinct account_id, campaign_id, launched_at, launched_at_nanos from ackhub.launch_total
        where $1::bigint is null or account_id = $1) l) as launches,
    (select count(*) from ackhub.message where $1::bigint is null or account_id = $1) as messages,
    (select count(*) from ackhub.event_log where $1::bigint is null or account_id = $1) as events
