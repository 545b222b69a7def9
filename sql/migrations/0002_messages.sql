-- One row per message that anything is known of: its fields, and the first event of each kind, exact and without a time window.
--
-- The key sorts by send time and stands first in the index, so the index grows at its recent end, for all accounts together, and
-- stays in memory. Partitions are UTC days of send time; `message_default` takes the send times that have no day of their own.
-- Only columns outside every index change after the insert, so with some room in each page (fillfactor) a first ack or open is a
-- heap-only update.
-- No constraints beyond the key: the hub is the only writer, and each one costs every event.
create table ackhub.message (
    account_id bigint not null,
    message_key uuid not null,
    campaign_id bigint not null,
    resource_id bigint not null,
    subscription_id bigint not null,
    profile_id uuid not null,
    sent_at timestamptz not null,
    launched_at timestamptz not null,
    acked_at timestamptz,
    opened_at timestamptz,
    sent_at_nanos smallint not null,
    launched_at_nanos smallint not null,
    channel smallint not null,
    provider smallint not null,
    privacy smallint not null,
    state smallint not null,
    is_test boolean not null,
    constraint message_pkey primary key (message_key, account_id)
) partition by range (message_key);

create table ackhub.message_default partition of ackhub.message default with (fillfactor = 90);

comment on table ackhub.message is
    'One row per message: its fields, its first ack and its first open that counts. Partitioned by UTC day of send time.';
comment on column ackhub.message.account_id is 'The tenant; every other id is unique only inside it.';
comment on column ackhub.message.message_key is
    'UUID version 8: 48 bits of send time in UNIX milliseconds, then 74 bits of SHA-256 over the message id.';
comment on column ackhub.message.campaign_id is 'The campaign.';
comment on column ackhub.message.resource_id is 'The resource (application, site) to which it was sent.';
comment on column ackhub.message.subscription_id is 'The subscription; 0 for anonymous messages.';
comment on column ackhub.message.profile_id is 'The profile, 128 bits, as a uuid; 0 for anonymous messages. ackhub.profile_id_text prints it.';
comment on column ackhub.message.sent_at is 'Send time, cut to microseconds.';
comment on column ackhub.message.launched_at is 'Launch time, cut to microseconds.';
comment on column ackhub.message.acked_at is 'Receipt of the first ack that was loaded; null without one.';
comment on column ackhub.message.opened_at is 'Receipt of the first loaded open that counts (class human or proxy); null without one.';
comment on column ackhub.message.sent_at_nanos is 'Nanoseconds of the send time below the microsecond, 0-999.';
comment on column ackhub.message.launched_at_nanos is 'Nanoseconds of the launch time below the microsecond, 0-999.';
comment on column ackhub.message.channel is 'Channel code; ackhub.channel_name prints it.';
comment on column ackhub.message.provider is 'Provider code; ackhub.provider_name prints it.';
comment on column ackhub.message.privacy is '0 keep the address, 1 mask it, 2 drop address and user agent, 3 anonymous.';
comment on column ackhub.message.state is
    'Bit 0 acked, bit 1 opened, bits 2-4 the class of the first open that counts; bits 8-12 the same before the last change.';
comment on column ackhub.message.is_test is 'A test send: left out of reports unless asked for.';
