-- Every event, append-only, partitioned by UTC day of receipt. Retention drops whole days.
--
-- One B-tree entry of 16 bytes an event, the message key, for a message's history. The key alone names the message (it holds a
-- hash over the account too). It sorts by send time and events follow their send times, so the index grows at its recent end;
-- events of one message share an entry. Time ranges (exports) need some 30 bytes per 128 pages: BRIN.
create table ackhub.event_log (
    account_id bigint not null,
    message_key uuid not null,
    received_at timestamptz not null,
    device_at timestamptz,
    kind smallint not null,
    dialect smallint not null,
    class smallint not null,
    flags smallint not null,
    is_first boolean not null,
    address inet,
    user_agent text
) partition by range (received_at);

create index event_log_message_key on ackhub.event_log (message_key);
create index event_log_received_at_brin on ackhub.event_log using brin (received_at);

comment on table ackhub.event_log is 'Every event as it came, append-only. Partitioned by UTC day of receipt. The view ackhub.event reads easier.';
comment on column ackhub.event_log.account_id is 'The tenant.';
comment on column ackhub.event_log.message_key is 'The message, in ackhub.message.';
comment on column ackhub.event_log.received_at is 'When the hub received it.';
comment on column ackhub.event_log.device_at is 'When it happened by the device''s clock, where the dialect says so.';
comment on column ackhub.event_log.kind is '1 ack, 2 open.';
comment on column ackhub.event_log.dialect is 'By which dialect it came; ackhub.dialect_name prints it.';
comment on column ackhub.event_log.class is 'Who caused it; ackhub.class_name prints it.';
comment on column ackhub.event_log.flags is
    'Bit 0: the send time lay more than 5 minutes ahead; bit 1: the device time was out of bounds; bit 2: the link was repaired.';
comment on column ackhub.event_log.is_first is 'The first ack of its message, or its first open that counts, in order of loading.';
comment on column ackhub.event_log.address is 'Client address, as far as the message''s privacy allows.';
comment on column ackhub.event_log.user_agent is 'User agent, at most 512 bytes, as far as the message''s privacy allows.';
