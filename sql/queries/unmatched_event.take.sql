-- Takes the parked events of accounts $1, keys $2 and events $3, place by place, in order of arrival. Those that another loader
-- is taking are passed over: it counts them, or they are there again after its rollback.
with free as (
    select u.account_id, u.message_key, u.event_id
    from ackhub.unmatched_event u
    join unnest($1::bigint[], $2::uuid[], $3::bigint[]) as w (account_id, message_key, event_id)
        on w.account_id = u.account_id and w.message_key = u.message_key and w.event_id = u.event_id
    for update of u skip locked
), taken as (
    delete from ackhub.unmatched_event u
    using free
    where u.account_id = free.account_id and u.message_key = free.message_key and u.event_id = free.event_id
    returning u.event_id, u.record
)
select record from taken order by event_id
