-- What the reports read. The loader adds up a batch in memory and adds the sums here, in key order, in the batch's transaction.
-- The counters are in no index and the pages have room, so every update is heap-only.

create table ackhub.launch_total (
    account_id bigint not null,
    campaign_id bigint not null,
    launched_at timestamptz not null,
    launched_at_nanos smallint not null,
    resource_id bigint not null,
    channel smallint not null,
    provider smallint not null,
    is_test boolean not null,
    class smallint not null,
    sent bigint not null default 0,
    acked bigint not null default 0,
    derived bigint not null default 0,
    opened bigint not null default 0,
    acks_total bigint not null default 0,
    opens_total bigint not null default 0,
    constraint launch_total_pkey primary key
        (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class)
) with (fillfactor = 50);

create index launch_total_launched_at on ackhub.launch_total (account_id, launched_at);

comment on table ackhub.launch_total is
    'Counters of a launch by resource, channel, provider, test and class, over all time: the sums of ackhub.launch_bucket.';
comment on column ackhub.launch_total.account_id is 'The tenant.';
comment on column ackhub.launch_total.campaign_id is 'The campaign.';
comment on column ackhub.launch_total.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.launch_total.launched_at_nanos is 'Nanoseconds of the launch time below the microsecond, 0-999.';
comment on column ackhub.launch_total.resource_id is 'The resource.';
comment on column ackhub.launch_total.channel is 'Channel code.';
comment on column ackhub.launch_total.provider is 'Provider code.';
comment on column ackhub.launch_total.is_test is 'Test sends.';
comment on column ackhub.launch_total.class is 'Class of the events counted; sent, which has no class, is kept in class 0.';
comment on column ackhub.launch_total.sent is 'Messages sent, as minting and senders told.';
comment on column ackhub.launch_total.acked is 'Messages whose first ack has this class.';
comment on column ackhub.launch_total.derived is
    'Messages opened but never acked, by the class of their first open that counts; falls when an ack comes after all.';
comment on column ackhub.launch_total.opened is 'Messages whose first open that counts has this class.';
comment on column ackhub.launch_total.acks_total is 'Acks, every one.';
comment on column ackhub.launch_total.opens_total is 'Opens, every one, of classes that do not count too.';

-- Buckets are minutes within a day of the launch, where a timeline is read minute by minute, and 15 minutes after, because every
-- time zone's offset is a multiple of 15 minutes: local hours and days are exact sums of buckets in every zone of the world.
-- (A handful of zones had odd offsets, all before 1972.)
create table ackhub.launch_bucket (
    account_id bigint not null,
    campaign_id bigint not null,
    launched_at timestamptz not null,
    launched_at_nanos smallint not null,
    resource_id bigint not null,
    channel smallint not null,
    provider smallint not null,
    is_test boolean not null,
    class smallint not null,
    bucket_at timestamptz not null,
    sent bigint not null default 0,
    acked bigint not null default 0,
    derived bigint not null default 0,
    opened bigint not null default 0,
    acks_total bigint not null default 0,
    opens_total bigint not null default 0,
    constraint launch_bucket_pkey primary key
        (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class, bucket_at)
) with (fillfactor = 70);

create index launch_bucket_bucket_at on ackhub.launch_bucket (account_id, bucket_at);

comment on table ackhub.launch_bucket is
    'Counters of a launch by time of receipt: buckets of a minute within 24 hours of the launch, of 15 minutes outside, in UTC.';
comment on column ackhub.launch_bucket.account_id is 'The tenant.';
comment on column ackhub.launch_bucket.campaign_id is 'The campaign.';
comment on column ackhub.launch_bucket.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.launch_bucket.launched_at_nanos is 'Nanoseconds of the launch time below the microsecond, 0-999.';
comment on column ackhub.launch_bucket.resource_id is 'The resource.';
comment on column ackhub.launch_bucket.channel is 'Channel code.';
comment on column ackhub.launch_bucket.provider is 'Provider code.';
comment on column ackhub.launch_bucket.is_test is 'Test sends.';
comment on column ackhub.launch_bucket.class is 'Class of the events counted; sent is kept in class 0.';
comment on column ackhub.launch_bucket.bucket_at is 'Begin of the bucket.';
comment on column ackhub.launch_bucket.sent is 'Messages sent in the bucket.';
comment on column ackhub.launch_bucket.acked is 'Messages whose first ack fell into the bucket.';
comment on column ackhub.launch_bucket.derived is
    'Messages whose first open that counts fell into the bucket and that were never acked; a late ack takes it back from here.';
comment on column ackhub.launch_bucket.opened is 'Messages whose first open that counts fell into the bucket.';
comment on column ackhub.launch_bucket.acks_total is 'Acks in the bucket.';
comment on column ackhub.launch_bucket.opens_total is 'Opens in the bucket.';

-- A mint request may be repeated after a part of it was counted: only what exceeds the greatest count seen is counted.
create table ackhub.sent_request (
    account_id bigint not null,
    request uuid not null,
    campaign_id bigint not null,
    launched_at timestamptz not null,
    launched_at_nanos smallint not null,
    resource_id bigint not null,
    channel smallint not null,
    provider smallint not null,
    is_test boolean not null,
    counted bigint not null,
    counted_before bigint not null,
    updated_at timestamptz not null default now(),
    constraint sent_request_pkey primary key
        (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test)
);

create index sent_request_updated_at_brin on ackhub.sent_request using brin (updated_at);

comment on table ackhub.sent_request is 'How much of a mint request with an Idempotency-Key is counted as sent. Kept for 7 days.';
comment on column ackhub.sent_request.account_id is 'The tenant.';
comment on column ackhub.sent_request.request is 'First 16 bytes of SHA-256 over account and key.';
comment on column ackhub.sent_request.campaign_id is 'The campaign.';
comment on column ackhub.sent_request.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.sent_request.launched_at_nanos is 'Nanoseconds of the launch time below the microsecond, 0-999.';
comment on column ackhub.sent_request.resource_id is 'The resource.';
comment on column ackhub.sent_request.channel is 'Channel code.';
comment on column ackhub.sent_request.provider is 'Provider code.';
comment on column ackhub.sent_request.is_test is 'Test sends.';
comment on column ackhub.sent_request.counted is 'The greatest count seen: what is in the counters.';
comment on column ackhub.sent_request.counted_before is 'The same before the last change, so that the change is known exactly.';
comment on column ackhub.sent_request.updated_at is 'When it last changed.';
