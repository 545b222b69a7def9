-- What analysts read: readable columns, the numbers of the reports. Rates follow one rule: null where the divisor is 0 or the
-- result would exceed 1 (sent is unknown or too small). Summaries and the timeline leave test sends out, as reports do.

create function ackhub.rate(part numeric, whole numeric) returns numeric
    language sql immutable strict parallel safe
    as $$ select case when whole > 0 and part <= whole then round(part / whole, 6) end $$;
comment on function ackhub.rate is 'part / whole; null where whole is 0 or smaller than part.';

create view ackhub.launch_summary as
select t.account_id, t.campaign_id, n.name as campaign,
    ackhub.launch_id(t.account_id, t.campaign_id, t.launched_at, t.launched_at_nanos) as launch_id,
    t.launched_at, t.sent, t.acked + t.derived as delivered, t.acked, t.derived, t.opened, t.acks_total, t.opens_total,
    ackhub.rate(t.acked + t.derived, t.sent) as delivery_rate,
    ackhub.rate(t.opened, t.acked + t.derived) as open_rate,
    t.sent < t.acked + t.derived as sent_incomplete
from (
    select account_id, campaign_id, launched_at, launched_at_nanos,
        sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived, sum(opened)::bigint as opened,
        sum(acks_total)::bigint as acks_total,
        coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
    from ackhub.launch_total
    where not is_test
    group by account_id, campaign_id, launched_at, launched_at_nanos
) t
left join ackhub.name n on n.account_id = t.account_id and n.kind = 'campaign' and n.id = t.campaign_id;

comment on view ackhub.launch_summary is 'One row per launch: its totals and rates, without test sends.';
comment on column ackhub.launch_summary.account_id is 'The tenant.';
comment on column ackhub.launch_summary.campaign_id is 'The campaign.';
comment on column ackhub.launch_summary.campaign is 'Its name, where one was given.';
comment on column ackhub.launch_summary.launch_id is 'LaunchID as the API prints it.';
comment on column ackhub.launch_summary.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.launch_summary.sent is 'Messages sent, as minting and senders told.';
comment on column ackhub.launch_summary.delivered is 'Messages acked or opened: acked + derived.';
comment on column ackhub.launch_summary.acked is 'Messages acked.';
comment on column ackhub.launch_summary.derived is 'Messages opened but never acked.';
comment on column ackhub.launch_summary.opened is 'Messages opened by a person or through an image proxy.';
comment on column ackhub.launch_summary.acks_total is 'Acks, every one.';
comment on column ackhub.launch_summary.opens_total is 'Opens by persons and image proxies, every one.';
comment on column ackhub.launch_summary.delivery_rate is 'delivered / sent; null where sent is 0 or too small.';
comment on column ackhub.launch_summary.open_rate is 'opened / delivered; null where nothing is delivered.';
comment on column ackhub.launch_summary.sent_incomplete is 'sent is unknown or smaller than delivered.';

create view ackhub.campaign_summary as
select t.account_id, t.campaign_id, n.name as campaign, t.launches, t.first_launched_at, t.last_launched_at,
    t.sent, t.acked + t.derived as delivered, t.acked, t.derived, t.opened, t.acks_total, t.opens_total,
    ackhub.rate(t.acked + t.derived, t.sent) as delivery_rate,
    ackhub.rate(t.opened, t.acked + t.derived) as open_rate,
    t.sent < t.acked + t.derived as sent_incomplete
from (
    select account_id, campaign_id, count(distinct (launched_at, launched_at_nanos)) as launches,
        min(launched_at) as first_launched_at, max(launched_at) as last_launched_at,
        sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived, sum(opened)::bigint as opened,
        sum(acks_total)::bigint as acks_total,
        coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
    from ackhub.launch_total
    where not is_test
    group by account_id, campaign_id
) t
left join ackhub.name n on n.account_id = t.account_id and n.kind = 'campaign' and n.id = t.campaign_id;

comment on view ackhub.campaign_summary is 'One row per campaign over all its launches, without test sends.';
comment on column ackhub.campaign_summary.account_id is 'The tenant.';
comment on column ackhub.campaign_summary.campaign_id is 'The campaign.';
comment on column ackhub.campaign_summary.campaign is 'Its name, where one was given.';
comment on column ackhub.campaign_summary.launches is 'Launches of which anything is known.';
comment on column ackhub.campaign_summary.first_launched_at is 'Time of the first launch.';
comment on column ackhub.campaign_summary.last_launched_at is 'Time of the last launch.';
comment on column ackhub.campaign_summary.sent is 'Messages sent, as minting and senders told.';
comment on column ackhub.campaign_summary.delivered is 'Messages acked or opened: acked + derived.';
comment on column ackhub.campaign_summary.acked is 'Messages acked.';
comment on column ackhub.campaign_summary.derived is 'Messages opened but never acked.';
comment on column ackhub.campaign_summary.opened is 'Messages opened by a person or through an image proxy.';
comment on column ackhub.campaign_summary.acks_total is 'Acks, every one.';
comment on column ackhub.campaign_summary.opens_total is 'Opens by persons and image proxies, every one.';
comment on column ackhub.campaign_summary.delivery_rate is 'delivered / sent; null where sent is 0 or too small.';
comment on column ackhub.campaign_summary.open_rate is 'opened / delivered; null where nothing is delivered.';
comment on column ackhub.campaign_summary.sent_incomplete is 'sent is unknown or smaller than delivered.';

create view ackhub.launch_timeline as
select account_id, campaign_id,
    ackhub.launch_id(account_id, campaign_id, launched_at, launched_at_nanos) as launch_id,
    launched_at, bucket_at, channel, provider,
    sent, acked + derived as delivered, acked, derived, opened, acks_total, opens_total
from (
    select account_id, campaign_id, launched_at, launched_at_nanos, bucket_at,
        ackhub.channel_name(channel) as channel, ackhub.provider_name(provider) as provider,
        sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived, sum(opened)::bigint as opened,
        sum(acks_total)::bigint as acks_total,
        coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
    from ackhub.launch_bucket
    where not is_test
    group by account_id, campaign_id, launched_at, launched_at_nanos, bucket_at,
        ackhub.channel_name(channel), ackhub.provider_name(provider)
) b;

comment on view ackhub.launch_timeline is
    'One row per launch, channel, provider and time bucket in which anything happened, without test sends. Buckets are minutes within 24 hours of the launch, 15 minutes outside.';
comment on column ackhub.launch_timeline.account_id is 'The tenant.';
comment on column ackhub.launch_timeline.campaign_id is 'The campaign.';
comment on column ackhub.launch_timeline.launch_id is 'LaunchID as the API prints it.';
comment on column ackhub.launch_timeline.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.launch_timeline.bucket_at is 'Begin of the bucket. Any local hour or day is a sum of whole buckets.';
comment on column ackhub.launch_timeline.channel is 'Channel.';
comment on column ackhub.launch_timeline.provider is 'Delivery service.';
comment on column ackhub.launch_timeline.sent is 'Messages sent in the bucket.';
comment on column ackhub.launch_timeline.delivered is 'Messages delivered in the bucket: acked + derived.';
comment on column ackhub.launch_timeline.acked is 'Messages first acked in the bucket.';
comment on column ackhub.launch_timeline.derived is 'Messages first opened in the bucket and never acked.';
comment on column ackhub.launch_timeline.opened is 'Messages first opened in the bucket.';
comment on column ackhub.launch_timeline.acks_total is 'Acks in the bucket, every one.';
comment on column ackhub.launch_timeline.opens_total is 'Opens by persons and image proxies in the bucket, every one.';

create view ackhub.message_history as
select account_id, message_key, campaign_id,
    ackhub.launch_id(account_id, campaign_id, launched_at, launched_at_nanos) as launch_id,
    launched_at, resource_id, ackhub.channel_name(channel) as channel, ackhub.provider_name(provider) as provider,
    ackhub.profile_id_text(profile_id) as profile_id, subscription_id, is_test, sent_at,
    acked_at, opened_at,
    least(acked_at, opened_at) as delivered_at,
    -- greatest() passes over nulls: without the case a message that was never opened would have been opened at once.
    case when acked_at is not null then greatest(extract(epoch from acked_at - sent_at), 0) end as seconds_to_ack,
    case when opened_at is not null then greatest(extract(epoch from opened_at - sent_at), 0) end as seconds_to_open
from ackhub.message;

comment on view ackhub.message_history is 'One row per message that anything is known of, with its first ack and open. Test sends included: see is_test.';
comment on column ackhub.message_history.account_id is 'The tenant.';
comment on column ackhub.message_history.message_key is 'Identity of the message. Filter on it or on a range of it (ackhub.message_key_floor) to read few days.';
comment on column ackhub.message_history.campaign_id is 'The campaign.';
comment on column ackhub.message_history.launch_id is 'LaunchID as the API prints it.';
comment on column ackhub.message_history.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.message_history.resource_id is 'The resource.';
comment on column ackhub.message_history.channel is 'Channel.';
comment on column ackhub.message_history.provider is 'Delivery service.';
comment on column ackhub.message_history.profile_id is 'Profile, as the API prints it; 0 for anonymous messages.';
comment on column ackhub.message_history.subscription_id is 'Subscription; 0 for anonymous messages.';
comment on column ackhub.message_history.is_test is 'A test send.';
comment on column ackhub.message_history.sent_at is 'Send time, cut to microseconds.';
comment on column ackhub.message_history.acked_at is 'First ack; null without one.';
comment on column ackhub.message_history.opened_at is 'First open by a person or through an image proxy; null without one.';
comment on column ackhub.message_history.delivered_at is 'First sign of delivery: ack or open; null without either.';
comment on column ackhub.message_history.seconds_to_ack is 'From send time to first ack, never negative; null without one.';
comment on column ackhub.message_history.seconds_to_open is 'From send time to first open, never negative; null without one.';

create view ackhub.event as
select e.account_id, e.received_at, e.device_at, ackhub.kind_name(e.kind) as kind, e.is_first,
    ackhub.class_name(e.class) as class, ackhub.dialect_name(e.dialect) as dialect,
    e.message_key, m.campaign_id,
    ackhub.launch_id(m.account_id, m.campaign_id, m.launched_at, m.launched_at_nanos) as launch_id,
    m.launched_at, m.resource_id, ackhub.channel_name(m.channel) as channel, ackhub.provider_name(m.provider) as provider,
    ackhub.profile_id_text(m.profile_id) as profile_id, m.subscription_id, m.is_test, m.sent_at,
    e.flags & 1 <> 0 as is_sent_ahead, e.flags & 2 <> 0 as is_device_time_clamped, e.flags & 4 <> 0 as is_link_repaired,
    e.address, e.user_agent
from ackhub.event_log e
join ackhub.message m on m.account_id = e.account_id and m.message_key = e.message_key;

comment on view ackhub.event is 'Every event with its message''s fields. Test sends included: see is_test. Filter on received_at to read few days.';
comment on column ackhub.event.account_id is 'The tenant.';
comment on column ackhub.event.received_at is 'When the hub received it.';
comment on column ackhub.event.device_at is 'When it happened by the device''s clock, where the dialect says so.';
comment on column ackhub.event.kind is 'ack or open.';
comment on column ackhub.event.is_first is 'The first ack of its message, or its first open that counts.';
comment on column ackhub.event.class is 'Who caused it. Opens of human and proxy count; acks always do.';
comment on column ackhub.event.dialect is 'By which dialect it came.';
comment on column ackhub.event.message_key is 'The message.';
comment on column ackhub.event.campaign_id is 'The campaign.';
comment on column ackhub.event.launch_id is 'LaunchID as the API prints it.';
comment on column ackhub.event.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.event.resource_id is 'The resource.';
comment on column ackhub.event.channel is 'Channel.';
comment on column ackhub.event.provider is 'Delivery service.';
comment on column ackhub.event.profile_id is 'Profile, as the API prints it; 0 for anonymous messages.';
comment on column ackhub.event.subscription_id is 'Subscription; 0 for anonymous messages.';
comment on column ackhub.event.is_test is 'A test send.';
comment on column ackhub.event.sent_at is 'Send time, cut to microseconds.';
comment on column ackhub.event.is_sent_ahead is 'The send time lay more than 5 minutes ahead of the hub''s clock.';
comment on column ackhub.event.is_device_time_clamped is 'The device''s time was out of bounds and replaced by the time of receipt.';
comment on column ackhub.event.is_link_repaired is 'The link carried appended or repaired characters.';
comment on column ackhub.event.address is 'Client address, as far as the message''s privacy allows.';
comment on column ackhub.event.user_agent is 'User agent, at most 512 bytes, as far as the message''s privacy allows.';
