// swift-format-ignore-file
// Made from sql/ by deploy/embed-sql.sh. Change the SQL there.

/// The text of sql/: migrations in order, and each query under the name of its file.
enum EmbeddedSQL {
    static let migrations: [Migration] = [
        Migration(number: 1, name: "identifiers", sql: #"""
-- Codes and identifiers as people read them. The tables keep small numbers; the views print these names.
-- Unknown codes are kept by the hub, so they print as their number.

create function ackhub.kind_name(code smallint) returns text
    language sql immutable strict parallel safe
    as $$ select case code when 1 then 'ack' when 2 then 'open' else code::text end $$;
comment on function ackhub.kind_name is 'The name of an event kind: ack (the device received it), open (the person tapped it).';

create function ackhub.class_name(code smallint) returns text
    language sql immutable strict parallel safe
    as $$ select case code when 0 then 'human' when 1 then 'proxy' when 2 then 'prefetch' when 3 then 'bot' when 4 then 'suspect'
        else code::text end $$;
comment on function ackhub.class_name is 'The name of an event class. Opens of human and proxy count; acks always do.';

create function ackhub.class_counts_opens(code smallint) returns boolean
    language sql immutable strict parallel safe
    as $$ select code in (0, 1) $$;
comment on function ackhub.class_counts_opens is 'Whether opens of this class count: those of human and proxy do.';

create function ackhub.dialect_name(code smallint) returns text
    language sql immutable strict parallel safe
    as $$ select case code when 1 then 'link' when 2 then 'post_events' when 3 then 'msdk' when 4 then 'pushwoosh'
        when 5 then 'carillon' when 6 then 'ingest' else code::text end $$;
comment on function ackhub.dialect_name is 'The name of the dialect by which an event came.';

create function ackhub.channel_name(code smallint) returns text
    language sql immutable strict parallel safe
    as $$ select case code when 1 then 'email' when 2 then 'push' when 3 then 'sms' when 4 then 'webpush' when 5 then 'inapp'
        else code::text end $$;
comment on function ackhub.channel_name is 'The name of a channel.';

create function ackhub.provider_name(code smallint) returns text
    language sql immutable strict parallel safe
    as $$ select case code
        when 1 then 'android-firebase' when 2 then 'ios-firebase' when 3 then 'ios-apns' when 4 then 'ios-appmetrica'
        when 5 then 'android-appmetrica' when 6 then 'android-huawei' when 7 then 'ios-huawei' when 8 then 'android-rustore'
        when 9 then 'android-firebase-legacy' when 20 then 'pushwoosh-android' when 21 then 'pushwoosh-ios'
        when 30 then 'carillon-android' when 31 then 'carillon-ios'
        else code::text end $$;
comment on function ackhub.provider_name is 'The name of a delivery service.';

-- Times are UNIX nanoseconds, unsigned 64 bit. A timestamptz holds the microseconds, a smallint the 0-999 nanoseconds below.
create function ackhub.unix_nanoseconds(at timestamptz, nanos smallint) returns numeric
    language sql stable strict parallel safe
    as $$ select trunc(extract(epoch from at) * 1000000) * 1000 + nanos $$;
comment on function ackhub.unix_nanoseconds is
    'UNIX nanoseconds, exact up to the year 2554: the timestamp''s microseconds and the nanoseconds below them.';

create function ackhub.base58(number numeric) returns text
    language plpgsql immutable strict parallel safe
    as $$
declare
    alphabet constant text := '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
    rest numeric := number;
    digits text := '';
begin
    loop
        digits := substr(alphabet, mod(rest, 58)::int + 1, 1) || digits;
        rest := div(rest, 58);
        exit when rest = 0;
    end loop;
    return digits;
end $$;
comment on function ackhub.base58 is 'A number in base58 with the Flickr alphabet, without leading 1s; 0 is 1.';

create function ackhub.launch_id(account_id bigint, campaign_id bigint, launched_at timestamptz, launched_at_nanos smallint)
    returns text
    language sql stable strict parallel safe
    as $$ select ackhub.base58(account_id) || '_' || ackhub.base58(campaign_id) || '_'
        || ackhub.base58(ackhub.unix_nanoseconds(launched_at, launched_at_nanos)) $$;
comment on function ackhub.launch_id is 'The LaunchID that the API prints: account, campaign and launch time in base58.';

-- A uuid's halves are read as bit strings: bit(64) to bigint keeps the bits, so the upper half of the range comes out negative.
create function ackhub.profile_id_text(profile_id uuid) returns text
    language sql immutable strict parallel safe
    as $$ select case when uuid_send(profile_id) < '\x00000000000000010000000000000000'::bytea
        then (mod(('x' || encode(substr(uuid_send(profile_id), 9), 'hex'))::bit(64)::bigint + 18446744073709551616,
                  18446744073709551616))::text
        else profile_id::text end $$;
comment on function ackhub.profile_id_text is 'A profile id as the API prints it: decimal below 2^64, else as a UUID.';

create function ackhub.message_key_floor(at timestamptz) returns uuid
    language sql stable strict parallel safe
    as $$ select rpad(lpad(to_hex(trunc(extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;
comment on function ackhub.message_key_floor is
    'The least message key of a send time: keys begin with 48 bits of UNIX milliseconds, so a range of times is a range of keys.';

"""#),
        Migration(number: 2, name: "messages", sql: #"""
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

"""#),
        Migration(number: 3, name: "events", sql: #"""
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

"""#),
        Migration(number: 4, name: "partitions", sql: #"""
-- Making a day's partition. A table is made aside and attached: attaching takes a lock on the parent that readers and writers
-- do not notice (SHARE UPDATE EXCLUSIVE), while CREATE TABLE … PARTITION OF would stop them all.
-- Makers queue on an advisory lock, so that two hubs at once make it once; what another one made meanwhile is looked up in
-- pg_class, because to_regclass may answer from a cache. Each call is one short transaction of its own, and gives up after a
-- second's wait for any lock (SQLSTATE 55P03) rather than have loaders queue behind it.

create function ackhub.ensure_event_day(day date) returns boolean
    language plpgsql
    set lock_timeout = '1s'
    as $$
declare
    partition constant name := 'event_log_' || to_char(day, 'YYYYMMDD');
begin
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    perform pg_advisory_xact_lock(hashtext('ackhub.partitions'));
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    execute format('create table ackhub.%I (like ackhub.event_log including defaults including storage)', partition);
    execute format('alter table ackhub.event_log attach partition ackhub.%I for values from (%L) to (%L)', partition,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    return true;
end $$;
comment on function ackhub.ensure_event_day is
    'Makes the partition of ackhub.event_log for a UTC day of receipt; false when it is there already.';

-- The day's rows move out of the default partition first, in the same transaction. The default is locked before that, so that no
-- row of the day can enter it between the move and the attach. Loaders that need the default wait for this moment only. A
-- caller that had to give up tries later: until then the default serves.
create function ackhub.ensure_message_day(day date) returns boolean
    language plpgsql
    set lock_timeout = '1s'
    as $$
declare
    partition constant name := 'message_' || to_char(day, 'YYYYMMDD');
    first_key constant uuid := ackhub.message_key_floor(day::timestamp at time zone 'UTC');
    end_key constant uuid := ackhub.message_key_floor((day + 1)::timestamp at time zone 'UTC');
begin
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    perform pg_advisory_xact_lock(hashtext('ackhub.partitions'));
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    lock table ackhub.message_default in access exclusive mode;
    execute format('create table ackhub.%I (like ackhub.message including defaults including storage) with (fillfactor = 90)',
        partition);
    execute format('with moved as (delete from ackhub.message_default where message_key >= %L and message_key < %L returning *)
        insert into ackhub.%I select * from moved', first_key, end_key, partition);
    execute format('alter table ackhub.message attach partition ackhub.%I for values from (%L) to (%L)', partition,
        first_key, end_key);
    return true;
end $$;
comment on function ackhub.ensure_message_day is
    'Makes the partition of ackhub.message for a UTC day of send time and moves the day''s rows into it; false when it is there already.';

"""#),
        Migration(number: 5, name: "counters", sql: #"""
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

"""#),
        Migration(number: 6, name: "operation", sql: #"""
-- The hub's own tables: small, and kept whole on every node (on Citus: local or reference tables), for they are read without
-- knowing an account.

create table ackhub.hub_position (
    hub uuid not null,
    position bigint not null check (position >= 0),
    updated_at timestamptz not null default now(),
    constraint hub_position_pkey primary key (hub)
) with (fillfactor = 50);

comment on table ackhub.hub_position is
    'How far each hub''s spool is loaded. Changed in the transaction of the batch it stands for, so that a batch is loaded once.';
comment on column ackhub.hub_position.hub is 'Identity of the spool, made with its directory.';
comment on column ackhub.hub_position.position is 'Byte offset in the spool''s whole life: everything before it is in the database.';
comment on column ackhub.hub_position.updated_at is 'When the last batch was loaded.';

create table ackhub.quarantine (
    hub uuid not null,
    position bigint not null,
    record_index integer not null,
    record bytea not null,
    sql_state text,
    reason text not null,
    quarantined_at timestamptz not null default now(),
    constraint quarantine_pkey primary key (hub, position, record_index)
);

comment on table ackhub.quarantine is
    'Spool records that could not be read or that the database refused: kept whole, counted nowhere. An operator looks at each.';
comment on column ackhub.quarantine.hub is 'The hub whose spool held it.';
comment on column ackhub.quarantine.position is 'Spool position of the batch it was read in.';
comment on column ackhub.quarantine.record_index is 'Its place in that batch, from 0.';
comment on column ackhub.quarantine.record is 'The record, byte for byte.';
comment on column ackhub.quarantine.sql_state is 'SQLSTATE of the database''s refusal; null when the record could not be read.';
comment on column ackhub.quarantine.reason is 'Why, in words.';
comment on column ackhub.quarantine.quarantined_at is 'When.';

create table ackhub.api_token (
    account_id bigint not null check (account_id >= 1),
    token_id bigint generated always as identity,
    digest bytea not null check (octet_length(digest) = 32),
    scopes text[] not null check (scopes <@ array['mint', 'report', 'ingest', 'admin'] and cardinality(scopes) > 0),
    name text not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    constraint api_token_pkey primary key (account_id, token_id),
    constraint api_token_digest_key unique (digest, account_id)
);

comment on table ackhub.api_token is 'API tokens. Only their SHA-256 is kept: a copy of this table opens nothing.';
comment on column ackhub.api_token.account_id is 'The one account it gives access to.';
comment on column ackhub.api_token.token_id is 'Its number, for lists and revoking.';
comment on column ackhub.api_token.digest is 'SHA-256 of the token''s text.';
comment on column ackhub.api_token.scopes is 'What it allows: mint, report, ingest, admin.';
comment on column ackhub.api_token.name is 'What it is for, in its maker''s words.';
comment on column ackhub.api_token.created_at is 'When it was made.';
comment on column ackhub.api_token.revoked_at is 'When it was revoked; null while it is good.';

create table ackhub.mint_request (
    account_id bigint not null,
    request uuid not null,
    digest bytea not null,
    first_sent_at timestamptz not null,
    first_sent_at_nanos smallint not null,
    created_at timestamptz not null default now(),
    constraint mint_request_pkey primary key (account_id, request)
);

create index mint_request_created_at_brin on ackhub.mint_request using brin (created_at);

comment on table ackhub.mint_request is 'Mint requests with an Idempotency-Key: what they were given at first. Good for 24 hours.';
comment on column ackhub.mint_request.account_id is 'The tenant.';
comment on column ackhub.mint_request.request is 'First 16 bytes of SHA-256 over account and key.';
comment on column ackhub.mint_request.digest is 'SHA-256 over what must be the same in a repeat.';
comment on column ackhub.mint_request.first_sent_at is 'Begin of the range of send times that its messages take, cut to microseconds.';
comment on column ackhub.mint_request.first_sent_at_nanos is 'Nanoseconds of it below the microsecond, 0-999.';
comment on column ackhub.mint_request.created_at is 'When the key was first used, or used anew after 24 hours.';

create table ackhub.name (
    account_id bigint not null,
    kind text not null check (kind in ('account', 'campaign', 'resource')),
    id bigint not null,
    name text not null,
    updated_at timestamptz not null default now(),
    constraint name_pkey primary key (account_id, kind, id)
);

comment on table ackhub.name is 'Names that people gave to accounts, campaigns and resources.';
comment on column ackhub.name.account_id is 'The tenant.';
comment on column ackhub.name.kind is 'What is named: account, campaign or resource.';
comment on column ackhub.name.id is 'Its id; of an account, the account''s.';
comment on column ackhub.name.name is 'The name.';
comment on column ackhub.name.updated_at is 'When it was last given.';

"""#),
        Migration(number: 7, name: "views", sql: #"""
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

"""#),
        Migration(number: 8, name: "reader", sql: #"""
-- The role that analysts are granted (`grant ackhub_reader to alice`). Roles belong to the whole cluster: it may exist already, and
-- a migration owner without CREATEROLE can't make it. That is no reason to stop: the schema works without it.
do $$
begin
    begin
        if not exists (select from pg_catalog.pg_roles where rolname = 'ackhub_reader') then
            create role ackhub_reader nologin;
        end if;
    exception
        when duplicate_object or unique_violation then
            null; -- Another database's migration made it in this moment.
        when insufficient_privilege then
            raise notice 'role ackhub_reader is not made: % may not create roles. Create it (create role ackhub_reader nologin) and grant it usage on schema ackhub and select on its views.', current_user;
            return;
    end;
    grant usage on schema ackhub to ackhub_reader;
    -- The views, and what a question beyond them needs; no tokens, requests, quarantined bytes.
    grant select on ackhub.campaign_summary, ackhub.launch_summary, ackhub.launch_timeline, ackhub.message_history, ackhub.event,
        ackhub.message, ackhub.event_log, ackhub.launch_total, ackhub.launch_bucket, ackhub.name to ackhub_reader;
end $$;

"""#),
        Migration(number: 9, name: "unmatched_events", sql: #"""
-- Events that name their message by its key alone, of messages that are not known (yet). The hub that minted the message may be
-- behind with loading, so what was answered is kept here until its message comes; loaders look for it every few seconds. An event
-- whose message never comes counts nowhere, and is dropped after 31 days.
--
-- A table of the hub's own, like those of 0006: kept whole, read without knowing an account. In order of the key a message's
-- events are neighbours, and a look through a part of it continues where the last one ended.
create table ackhub.unmatched_event (
    account_id bigint not null,
    message_key uuid not null,
    event_id bigint generated always as identity,
    received_at timestamptz not null,
    record bytea not null,
    constraint unmatched_event_pkey primary key (account_id, message_key, event_id)
);

create index unmatched_event_received_at_brin on ackhub.unmatched_event using brin (received_at);

comment on table ackhub.unmatched_event is
    'Events that wait for their message: it is named by its key alone, and not in ackhub.message. Counted nowhere until it is.';
comment on column ackhub.unmatched_event.account_id is 'The tenant.';
comment on column ackhub.unmatched_event.message_key is 'The message that the event names.';
comment on column ackhub.unmatched_event.event_id is 'Tells a message''s events apart, in order of arrival.';
comment on column ackhub.unmatched_event.received_at is 'When a hub received it. Dropped after 31 days.';
comment on column ackhub.unmatched_event.record is
    'The spool record, byte for byte: client address and user agent are whole in it, for the message''s privacy is not known.';

-- Made anew at each call, so that the planner knows the first and the last key: the days outside them are neither planned nor
-- locked. Few keys among many messages: a nested loop over the index, which looks into the key's own partition only. A planner that
-- does not know so (it adds up the cost of all partitions) would hash the whole table.
create function ackhub.messages_by_keys(account_ids bigint[], message_keys uuid[]) returns setof ackhub.message
    language plpgsql stable strict
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    first_key uuid;
    last_key uuid;
begin
    select k.key into first_key from unnest(message_keys) as k (key) order by k.key limit 1;
    select k.key into last_key from unnest(message_keys) as k (key) order by k.key desc limit 1;
    return query execute
        'select m.* from unnest($1, $2) as k (account_id, message_key)
        join ackhub.message m on m.account_id = k.account_id and m.message_key = k.message_key
        where m.message_key between $3 and $4'
        using account_ids, message_keys, first_key, last_key;
end $$;
comment on function ackhub.messages_by_keys is 'The messages of accounts and keys, place by place; those that are not known are left out.';

comment on column ackhub.quarantine.record_index is
    'Its place in that batch, from 0; below 0 a record that was taken from ackhub.unmatched_event.';

"""#),
        Migration(number: 10, name: "device_tokens", sql: #"""
-- A scope for tokens that lie in apps: they report the device's own events and open nothing else.
alter table ackhub.api_token drop constraint api_token_scopes_check;
alter table ackhub.api_token add constraint api_token_scopes_check
    check (scopes <@ array['mint', 'report', 'ingest', 'admin', 'device'] and cardinality(scopes) > 0);

comment on column ackhub.api_token.scopes is 'What it allows: mint, report, ingest, admin, device (report a device''s own events).';

"""#),
        Migration(number: 11, name: "jwt_keys", sql: #"""
-- What the JSON Web Tokens of apps are checked with. Altcraft's mobile SDKs send one where they have no role token.
create table ackhub.jwt_key (
    account_id bigint not null check (account_id >= 1),
    key_id text not null check (octet_length(key_id) between 1 and 128),
    algorithm text not null check (algorithm in ('HS256', 'RS256', 'ES256')),
    material bytea not null check (octet_length(material) between 32 and 4096),
    audience text check (audience <> ''),
    issuer text check (issuer <> ''),
    name text not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    constraint jwt_key_pkey primary key (account_id, key_id)
);

comment on table ackhub.jwt_key is
    'Keys that check the JSON Web Tokens of apps. It can hold secrets (HS256): not for readers, and a copy of it is to be kept like a key.';
comment on column ackhub.jwt_key.account_id is 'The one account whose messages its tokens may report events of.';
comment on column ackhub.jwt_key.key_id is 'Its name in the tokens'' header, kid; unique in the account, revoked keys included.';
comment on column ackhub.jwt_key.algorithm is 'The one algorithm that it is used with: HS256, RS256, ES256 (RFC 7518).';
comment on column ackhub.jwt_key.material is
    'RS256, ES256: the public key, DER of a SubjectPublicKeyInfo. HS256: the shared secret itself, for a MAC can''t be checked with less.';
comment on column ackhub.jwt_key.audience is 'What a token''s aud must contain; null when it is not asked for.';
comment on column ackhub.jwt_key.issuer is 'What a token''s iss must be; null when it is not asked for.';
comment on column ackhub.jwt_key.name is 'What it is for, in its maker''s words.';
comment on column ackhub.jwt_key.created_at is 'When it was added.';
comment on column ackhub.jwt_key.revoked_at is 'When it was revoked; null while it is good.';

"""#),
        Migration(number: 12, name: "reports", sql: #"""
-- A report that names itself is stored once: clients repeat one whose answer was lost, hours and days later and at another hub.
--
-- Its index holds named reports only: a link's event has none and pays nothing. Without it a report would be compared with every
-- event of its message, and one message with very many would hold up the loading of all.
alter table ackhub.event_log add column report uuid;

create index event_log_report on ackhub.event_log (message_key, report) where report is not null;

comment on column ackhub.event_log.report is
    'Name of the report, by which its repeats are known; null where the dialect (links: always) can''t tell a repeat from a second event.';

-- Made anew at each call, so that the planner knows the oldest receipt: partitions before it are neither planned nor locked.
-- Few events among many: a nested loop over the index. Each turn of it looks into the days since its own `since` only, which a
-- planner that adds up the cost of all partitions does not see; it would hash or read them whole.
create function ackhub.stored_reports(
    account_ids bigint[], message_keys uuid[], kinds smallint[], reports uuid[], since timestamptz[]
) returns setof bigint
    language plpgsql stable strict
    set enable_hashjoin = off
    set enable_mergejoin = off
    set enable_seqscan = off
    as $$
declare
    oldest constant timestamptz := (select min(at) from unnest(since) as s (at));
begin
    return query execute
        'select k.place
        from unnest($1, $2, $3, $4, $5) with ordinality as k (account_id, message_key, kind, report, since, place)
        join ackhub.event_log e on e.account_id = k.account_id and e.message_key = k.message_key and e.kind = k.kind
            and e.report = k.report and e.received_at >= k.since
        where e.received_at >= $6'
        using account_ids, message_keys, kinds, reports, since, oldest;
end $$;
comment on function ackhub.stored_reports is
    'Of the reports given place by place, the places (from 1) of those that were stored with a receipt at or after `since`.';

"""#),
        Migration(number: 13, name: "known_messages", sql: #"""
-- Which messages of a batch are known, so that only those are upserted: COPY writes new rows at half of an upsert's price.
--
-- Made anew at each call, so that the planner knows the first and the last key: the days outside them are neither planned nor
-- locked. The limit keeps the join's order: each key looks into the index. A planner that believes the statistics of a day that
-- began a moment ago would begin with its messages, and search the keys for each.
create function ackhub.known_messages(message_keys uuid[]) returns table (place bigint, account_id bigint, state smallint)
    language plpgsql stable strict
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
begin
    return query execute
        'select k.place, known.account_id, known.state from unnest($1) with ordinality as k (key, place)
        cross join lateral (
            select m.account_id, m.state from ackhub.message m where m.message_key = k.key and m.message_key between $2 and $3 limit 1
        ) as known'
        using message_keys, message_keys[1], message_keys[cardinality(message_keys)];
end $$;
comment on function ackhub.known_messages is
    'Of the message keys given in ascending order those that ackhub.message has: place (from 1), account, state.';

"""#),
        Migration(number: 14, name: "join_order", sql: #"""
-- The functions of 0009 and 0012 anew, with their joins in an order that no planner can turn around: the limit keeps each look
-- inside its key. Statistics that are older than a day's first messages make the planner expect next to none in a range of keys. It
-- then began with the messages and searched all keys for each: 15 s for 10 000 keys among 150 000 messages, instead of 0.04.
create or replace function ackhub.messages_by_keys(account_ids bigint[], message_keys uuid[]) returns setof ackhub.message
    language plpgsql stable strict
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    first_key uuid;
    last_key uuid;
begin
    select k.key into first_key from unnest(message_keys) as k (key) order by k.key limit 1;
    select k.key into last_key from unnest(message_keys) as k (key) order by k.key desc limit 1;
    return query execute
        'select found.* from unnest($1, $2) as k (account_id, message_key)
        cross join lateral (
            select m.* from ackhub.message m
            where m.account_id = k.account_id and m.message_key = k.message_key and m.message_key between $3 and $4
            limit 1
        ) as found'
        using account_ids, message_keys, first_key, last_key;
end $$;

create or replace function ackhub.stored_reports(
    account_ids bigint[], message_keys uuid[], kinds smallint[], reports uuid[], since timestamptz[]
) returns setof bigint
    language plpgsql stable strict
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    oldest constant timestamptz := (select min(at) from unnest(since) as s (at));
begin
    return query execute
        'select k.place
        from unnest($1, $2, $3, $4, $5) with ordinality as k (account_id, message_key, kind, report, since, place)
        cross join lateral (
            select from ackhub.event_log e
            where e.account_id = k.account_id and e.message_key = k.message_key and e.kind = k.kind
                and e.report = k.report and e.received_at >= k.since and e.received_at >= $6
            limit 1
        ) as stored'
        using account_ids, message_keys, kinds, reports, since, oldest;
end $$;

"""#),
    ]

    static let apiTokenCreate = #"""
insert into ackhub.api_token (account_id, digest, scopes, name)
values ($1, sha256(convert_to($2, 'UTF8')), $3::text[], $4)
"""#

    static let apiTokenFind = #"""
select account_id, array_to_string(scopes, ',') as scopes
from ackhub.api_token
where digest = sha256(convert_to($1, 'UTF8')) and revoked_at is null
"""#

    static let apiTokenList = #"""
select token_id, account_id, array_to_string(scopes, ',') as scopes, name, created_at, revoked_at
from ackhub.api_token
where $1::bigint is null or account_id = $1
order by account_id, token_id
"""#

    static let apiTokenRevoke = #"""
update ackhub.api_token set revoked_at = now() where token_id = $1 and revoked_at is null
"""#

    static let batchMessageCopy = #"""
copy pg_temp.batch_message (account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at, launched_at,
    acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test)
from stdin (format binary)
"""#

    static let batchMessageCreate = #"""
-- A loader's connection, whatever the server's defaults: a commit's answer must mean that it is on disk, and what another loader
-- committed while this one waited for a message's row must be seen by the statement after. Rows of its batches go through a
-- temporary table that every commit empties.
do $$
begin
    if current_setting('synchronous_commit') = 'off' then
        set synchronous_commit = on;
    end if;
    set default_transaction_isolation = 'read committed';
end $$;

create temporary table batch_message (
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
    is_test boolean not null
) on commit delete rows;
"""#

    static let campaignList = #"""
-- $2, $3 from and $4, $5 to: launch times, from inclusive, to exclusive, null for none. $6 with test sends. $7 sort, $8 descending.
-- $9, $10 sort value and campaign of the page before. $11 rows.
-- Sort values are numeric: launch times are unsigned 64 bit nanoseconds. Negated for descending, so that one
-- comparison serves both orders; campaigns of one value are in ascending order in both.
with totals as (
    select campaign_id, count(distinct (launched_at, launched_at_nanos)) as launches,
        min(ackhub.unix_nanoseconds(launched_at, launched_at_nanos)) as first_launched_at,
        max(ackhub.unix_nanoseconds(launched_at, launched_at_nanos)) as last_launched_at,
        sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived, sum(opened)::bigint as opened,
        sum(acks_total)::bigint as acks_total,
        coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
    from ackhub.launch_total
    where account_id = $1 and (not is_test or $6::boolean)
        and ($2::timestamptz is null or (launched_at, launched_at_nanos) >= ($2::timestamptz, $3::smallint))
        and ($4::timestamptz is null or (launched_at, launched_at_nanos) < ($4::timestamptz, $5::smallint))
    group by campaign_id
), sorted as (
    select *, case when $8::boolean then -1 else 1 end * case $7::text
        when 'last_launched_at' then last_launched_at
        when 'campaign_id' then campaign_id
        when 'sent' then sent
        when 'delivered' then acked + derived
        when 'opened' then opened
    end as sort_value
    from totals
)
select s.campaign_id, n.name, s.launches, s.first_launched_at::text, s.last_launched_at::text,
    s.sent, s.acked, s.derived, s.opened, s.acks_total, s.opens_total
from sorted s
left join ackhub.name n on n.account_id = $1 and n.kind = 'campaign' and n.id = s.campaign_id
where $9::text is null
    or (s.sort_value, s.campaign_id) > (case when $8::boolean then -1 else 1 end * $9::text::numeric, $10::bigint)
order by s.sort_value, s.campaign_id
limit $11::bigint
"""#

    static let eventListOfMessage = #"""
select kind, is_first, received_at, device_at, dialect, class, flags, host(address) as address, user_agent
from ackhub.event_log
where account_id = $1 and message_key = $2
order by received_at, kind, is_first desc
limit $3::bigint
"""#

    static let eventLogCopy = #"""
copy ackhub.event_log (account_id, message_key, received_at, device_at, kind, dialect, class, flags, is_first, address, user_agent,
    report)
from stdin (format binary)
"""#

    static let hubPositionCreate = #"""
insert into ackhub.hub_position (hub, position) values ($1, 0) on conflict (hub) do nothing
"""#

    static let hubPositionLock = #"""
select position from ackhub.hub_position where hub = $1 for update
"""#

    static let hubPositionRead = #"""
select position from ackhub.hub_position where hub = $1
"""#

    static let hubPositionSave = #"""
update ackhub.hub_position set position = $2, updated_at = now() where hub = $1
"""#

    static let jwtKeyActive = #"""
select key_id, algorithm, material, audience, issuer
from ackhub.jwt_key
where account_id = $1 and revoked_at is null
order by created_at desc, key_id
limit $2
"""#

    static let jwtKeyCreate = #"""
insert into ackhub.jwt_key (account_id, key_id, algorithm, material, audience, issuer, name)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (account_id, key_id) do nothing
"""#

    static let jwtKeyList = #"""
select account_id, key_id, algorithm, audience, issuer, name, created_at, revoked_at
from ackhub.jwt_key
where $1::bigint is null or account_id = $1
order by account_id, created_at, key_id
"""#

    static let jwtKeyLock = #"""
lock table ackhub.jwt_key in share row exclusive mode
"""#

    static let jwtKeyRevoke = #"""
update ackhub.jwt_key set revoked_at = now() where account_id = $1 and key_id = $2 and revoked_at is null
"""#

    static let launchIntervals = #"""
-- $5 with test sends. $6 the width as date_trunc knows it; intervals begin in UTC.
select date_trunc($6::text, bucket_at, 'UTC') as begins_at, provider, sum(sent)::bigint as sent, sum(acked)::bigint as acked,
    sum(derived)::bigint as derived, sum(opened)::bigint as opened, sum(acks_total)::bigint as acks_total,
    coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
from ackhub.launch_bucket
where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
    and (not is_test or $5::boolean)
group by begins_at, provider
order by begins_at, provider
"""#

    static let launchOpens = #"""
-- Messages of a launch by the hour of UTC in which they were first opened: buckets are minutes or 15 minutes, so hours are exact sums.
-- $5 to $6: begins of buckets, the end exclusive. $7 with test sends. No row when nothing is known of the launch; one of nulls
-- when none of its messages was opened then.
with known as (
    select from ackhub.launch_total
    where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
    limit 1
), hours as (
    select date_trunc('hour', bucket_at, 'UTC') as begins_at, sum(opened)::bigint as opened
    from ackhub.launch_bucket
    where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
        and bucket_at >= $5 and bucket_at < $6 and (not is_test or $7::boolean)
    group by begins_at
)
select hours.begins_at, hours.opened
from known
left join hours on true
"""#

    static let launchReport = #"""
select is_test, provider, class, sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived,
    sum(opened)::bigint as opened, sum(acks_total)::bigint as acks_total, sum(opens_total)::bigint as opens_total
from ackhub.launch_total
where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
group by is_test, provider, class
order by provider, class, is_test
"""#

    static let launchSpan = #"""
-- $5 with test sends. How many counters the launch has; the first and the last bucket in which one of its messages was sent,
-- delivered or opened, null where none was. Repeats alone do not stretch a launch.
select count(*), min(bucket_at) filter (where counts_messages), max(bucket_at) filter (where counts_messages)
from (
    select bucket_at, (not is_test or $5::boolean) and (sent, acked, derived, opened) <> (0, 0, 0, 0) as counts_messages
    from ackhub.launch_bucket
    where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
) b
"""#

    static let launchBucketAdd = #"""
-- Adds a batch's sums. In key order, so that two loaders never wait for each other in a circle.
insert into ackhub.launch_bucket as t (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider,
    is_test, class, bucket_at, sent, acked, derived, opened, acks_total, opens_total)
select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider,
    is_test <> 0, class, bucket_at, sent, acked, derived, opened, acks_total, opens_total
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::smallint[], $5::bigint[], $6::smallint[], $7::smallint[],
    $8::smallint[], $9::smallint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[],
    $16::timestamptz[])
    as b (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        sent, acked, derived, opened, acks_total, opens_total, bucket_at)
order by account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class, bucket_at
on conflict (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class, bucket_at)
do update set sent = t.sent + excluded.sent, acked = t.acked + excluded.acked, derived = t.derived + excluded.derived,
    opened = t.opened + excluded.opened, acks_total = t.acks_total + excluded.acks_total,
    opens_total = t.opens_total + excluded.opens_total
"""#

    static let launchTotalAdd = #"""
-- Adds a batch's sums. In key order, so that two loaders never wait for each other in a circle.
insert into ackhub.launch_total as t (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider,
    is_test, class, sent, acked, derived, opened, acks_total, opens_total)
select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider,
    is_test <> 0, class, sent, acked, derived, opened, acks_total, opens_total
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::smallint[], $5::bigint[], $6::smallint[], $7::smallint[],
    $8::smallint[], $9::smallint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[])
    as b (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        sent, acked, derived, opened, acks_total, opens_total)
order by account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class
on conflict (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class)
do update set sent = t.sent + excluded.sent, acked = t.acked + excluded.acked, derived = t.derived + excluded.derived,
    opened = t.opened + excluded.opened, acks_total = t.acks_total + excluded.acks_total,
    opens_total = t.opens_total + excluded.opens_total
"""#

    static let messageCopy = #"""
copy ackhub.message (account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at, launched_at,
    acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test)
from stdin (format binary)
"""#

    static let messageFind = #"""
select account_id, campaign_id, resource_id, subscription_id, profile_id, sent_at, sent_at_nanos, launched_at, launched_at_nanos,
    channel, provider, privacy, is_test, acked_at, opened_at
from ackhub.message
where account_id = $1 and message_key = $2
"""#

    static let messageFindByKeys = #"""
-- Those of the messages with accounts $1 and keys $2, place by place, that are there.
select account_id, campaign_id, resource_id, subscription_id, profile_id, sent_at, sent_at_nanos, launched_at, launched_at_nanos,
    channel, provider, privacy, is_test, message_key
from ackhub.messages_by_keys($1, $2)
"""#

    static let messageFindKnown = #"""
select place, account_id, state from ackhub.known_messages($1)
"""#

    static let messageUpsert = #"""
-- The batch's distinct messages, in key order, so that two loaders never wait for each other in a circle. A message gets what it
-- does not have yet; `state` keeps what it had before, so a returned row tells exactly what was new. A message to which
-- the batch adds nothing is not returned, but its row is locked like the others: until the transaction ends, no other loader adds
-- events to any message of the batch.
insert into ackhub.message as m (account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at,
    launched_at, acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test)
select account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at,
    launched_at, acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test
from pg_temp.batch_message
order by message_key, account_id
on conflict (account_id, message_key) do update set
    acked_at = coalesce(m.acked_at, excluded.acked_at),
    opened_at = coalesce(m.opened_at, excluded.opened_at),
    state = (m.state & 31) << 8 | (m.state & 31) | case when m.state & 2 = 0 then excluded.state else excluded.state & 1 end
where excluded.state & ~m.state & 3 <> 0
returning m.message_key, m.state, m.opened_at
"""#

    static let mintRequestClaim = #"""
-- Takes the key if it is free or was taken more than 24 hours ago.
insert into ackhub.mint_request as r (account_id, request, digest, first_sent_at, first_sent_at_nanos)
values ($1, $2, $3, $4, $5)
on conflict (account_id, request) do update set digest = excluded.digest, first_sent_at = excluded.first_sent_at,
    first_sent_at_nanos = excluded.first_sent_at_nanos, created_at = now()
where r.created_at < now() - interval '24 hours'
returning first_sent_at
"""#

    static let mintRequestFind = #"""
select first_sent_at, first_sent_at_nanos, digest = $3 as is_same
from ackhub.mint_request
where account_id = $1 and request = $2
"""#

    static let mintRequestPurge = #"""
-- A key is good for 24 hours. $1 rows at most, so that a long neglected table is worked off in portions.
delete from ackhub.mint_request
where ctid = any (array(select ctid from ackhub.mint_request where created_at < now() - interval '24 hours' limit $1::bigint))
"""#

    static let partitionEnsureEventDay = #"""
select ackhub.ensure_event_day((date '1970-01-01' + $1::bigint::integer))
"""#

    static let partitionEnsureMessageDay = #"""
select ackhub.ensure_message_day((date '1970-01-01' + $1::bigint::integer))
"""#

    static let quarantineAdd = #"""
-- A record that has no place in a batch ($3 null: it was taken from unmatched_event) gets the next number below 0.
insert into ackhub.quarantine (hub, position, record_index, record, sql_state, reason)
select $1, $2, coalesce($3::bigint, least(min(record_index), 0) - 1), $4, $5, $6
from ackhub.quarantine
where hub = $1 and position = $2
on conflict (hub, position, record_index) do nothing
"""#

    static let reconciliationDifferences = #"""
-- $1 account, null for all; $2 rows at most. Recounts the raw events by message and compares with what was counted as they came:
-- launch_total, the sum of launch_bucket, the first flags of events, the state of messages.
--
-- How many messages were acked or opened follows from the events alone. Only where a message's events of one kind have several
-- classes does the recount ask which of them was flagged first, for the class; a flag that is missing there takes the least.
-- Events whose message is gone belong to no launch any more: they stand under campaign 0, launched at 1970, as counted nowhere.
with events as materialized (
    select account_id, message_key, kind, class, count(*) as events, count(*) filter (where is_first) as firsts
    from ackhub.event_log
    where $1::bigint is null or account_id = $1
    group by account_id, message_key, kind, class
), messages as (
    select account_id, message_key,
        coalesce(min(class) filter (where kind = 1 and firsts > 0), min(class) filter (where kind = 1)) as ack_class,
        coalesce(min(class) filter (where kind = 2 and firsts > 0 and ackhub.class_counts_opens(class)),
            min(class) filter (where kind = 2 and ackhub.class_counts_opens(class))) as open_class
    from events
    group by account_id, message_key
), parts as (
    select m.account_id, m.campaign_id, m.launched_at, m.launched_at_nanos, m.resource_id, m.channel, m.provider, m.is_test,
        part.class, part.acked, part.derived, part.opened, 0::bigint as acks_total, 0::bigint as opens_total,
        0::bigint as first_acks, 0::bigint as first_opens, part.acked_state, part.opened_state
    from ackhub.message m
    left join messages x on x.account_id = m.account_id and x.message_key = m.message_key
    cross join lateral (values
        (x.ack_class, (x.ack_class is not null)::int, 0, 0, m.state & 1, 0),
        (x.open_class, 0, (x.open_class is not null and x.ack_class is null)::int, (x.open_class is not null)::int, 0, 0),
        ((m.state >> 2 & 7)::smallint, 0, 0, 0, 0, m.state >> 1 & 1)
    ) as part (class, acked, derived, opened, acked_state, opened_state)
    where $1::bigint is null or m.account_id = $1
    union all
    select e.account_id, coalesce(m.campaign_id, 0), coalesce(m.launched_at, 'epoch'), coalesce(m.launched_at_nanos, 0::smallint),
        coalesce(m.resource_id, 0), coalesce(m.channel, 0::smallint), coalesce(m.provider, 0::smallint),
        coalesce(m.is_test, false), e.class, 0, 0, 0,
        case when e.kind = 1 then e.events else 0 end, case when e.kind = 2 then e.events else 0 end,
        case when e.kind = 1 then e.firsts else 0 end, case when e.kind = 2 then e.firsts else 0 end, 0, 0
    from events e
    left join ackhub.message m on m.account_id = e.account_id and m.message_key = e.message_key
), recount as (
    select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test,
        coalesce(class, 0::smallint) as class, sum(acked) as acked, sum(derived) as derived, sum(opened) as opened,
        sum(acks_total) as acks_total, sum(opens_total) as opens_total, sum(first_acks) as first_acks,
        sum(first_opens) as first_opens, sum(acked_state) as acked_state, sum(opened_state) as opened_state
    from parts
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
), buckets as (
    select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        sum(sent) as sent, sum(acked) as acked, sum(derived) as derived, sum(opened) as opened,
        sum(acks_total) as acks_total, sum(opens_total) as opens_total
    from ackhub.launch_bucket
    where $1::bigint is null or account_id = $1
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
), totals as (
    select * from ackhub.launch_total where $1::bigint is null or account_id = $1
), compared as (
    select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        counter.name, coalesce(counter.counted, 0) as counted, coalesce(counter.recounted, 0) as recounted
    from totals t
    full join recount r using (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class)
    full join buckets b using (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class)
    cross join lateral (values
        ('acked', t.acked, r.acked),
        ('derived', t.derived, r.derived),
        ('opened', t.opened, r.opened),
        ('acks_total', t.acks_total, r.acks_total),
        ('opens_total', t.opens_total, r.opens_total),
        ('first acks flagged', r.first_acks, r.acked),
        ('first opens flagged', r.first_opens, r.opened),
        ('acked in messages', r.acked_state, r.acked),
        ('opened in messages', r.opened_state, r.opened),
        ('sent in total and buckets', t.sent, b.sent),
        ('acked in buckets', b.acked, r.acked),
        ('derived in buckets', b.derived, r.derived),
        ('opened in buckets', b.opened, r.opened),
        ('acks_total in buckets', b.acks_total, r.acks_total),
        ('opens_total in buckets', b.opens_total, r.opens_total)
    ) as counter (name, counted, recounted)
)
select account_id, campaign_id, launched_at, launched_at_nanos,
    format('provider %s, class %s, resource %s, channel %s%s, %s', provider, ackhub.class_name(class), resource_id,
        ackhub.channel_name(channel), case when is_test then ', test' else '' end, name) as counter,
    counted::bigint, recounted::bigint
from compared
where counted <> recounted
order by account_id, campaign_id, launched_at, launched_at_nanos, counter
limit $2::bigint
"""#

    static let reconciliationSize = #"""
-- $1 account, null for all.
select
    (select count(*) from (select distinct account_id, campaign_id, launched_at, launched_at_nanos from ackhub.launch_total
        where $1::bigint is null or account_id = $1) l) as launches,
    (select count(*) from ackhub.message where $1::bigint is null or account_id = $1) as messages,
    (select count(*) from ackhub.event_log where $1::bigint is null or account_id = $1) as events
"""#

    static let reportFindStored = #"""
-- Of the reports of accounts $1, messages $2, kinds $3 and names $4, received since $5, place by place, those that are stored:
-- their places, from 1.
select place from ackhub.stored_reports($1, $2, $3, $4, $5) as s (place)
"""#

    static let schemaMigrationCompare = #"""
-- $1 numbers, $2 texts of the files at hand: which are applied, and whether with this text.
select applied.number, applied.checksum = encode(sha256(convert_to(file.text, 'UTF8')), 'hex') as is_same
from unnest($1::bigint[], $2::text[]) as file (number, text)
join ackhub.schema_migration applied on applied.number = file.number
"""#

    static let schemaMigrationCreate = #"""
-- The schema and the record of what was applied to it, made before the first migration.
create schema if not exists ackhub;

create table if not exists ackhub.schema_migration (
    number integer not null,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    constraint schema_migration_pkey primary key (number)
);

comment on schema ackhub is 'Ackhub: acks and opens of push messages, and their counters.';
comment on table ackhub.schema_migration is 'The migrations applied to this schema. An applied file never changes.';
comment on column ackhub.schema_migration.number is 'Number of the file.';
comment on column ackhub.schema_migration.name is 'Name of the file, without number and ending.';
comment on column ackhub.schema_migration.checksum is 'SHA-256 of its text, in hex.';
comment on column ackhub.schema_migration.applied_at is 'When.';
"""#

    static let schemaMigrationExists = #"""
select to_regclass('ackhub.schema_migration') is not null
"""#

    static let schemaMigrationLock = #"""
-- Migrators take turns, and makers of partitions wait: two that change one table's catalogue rows would fail each other (tuple
-- concurrently updated).
set local lock_timeout = 0;
select pg_advisory_xact_lock(hashtext('ackhub.schema_migration'));
select pg_advisory_xact_lock(hashtext('ackhub.partitions'));
"""#

    static let schemaMigrationRecord = #"""
insert into ackhub.schema_migration (number, name, checksum)
values ($1::bigint, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
"""#

    static let sentRequestPurge = #"""
-- A request may be repeated for 24 hours, and its count may wait in a hub's spool for some days more. $1 rows at most.
delete from ackhub.sent_request
where ctid = any (array(select ctid from ackhub.sent_request where updated_at < now() - interval '7 days' limit $1::bigint))
"""#

    static let sentRequestUpsert = #"""
-- The greatest count of each request in the batch, in key order. Returned: the place in the arrays (from 1) and what was
-- counted before, for those that grew.
with batch as (
    select * from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::timestamptz[], $5::smallint[], $6::bigint[], $7::smallint[],
        $8::smallint[], $9::smallint[], $10::bigint[]) with ordinality
        as b (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, counted, place)
), grown as (
    insert into ackhub.sent_request as r (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel,
        provider, is_test, counted, counted_before)
    select account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test <> 0, counted, 0
    from batch
    order by account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test
    on conflict (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test)
    do update set counted = excluded.counted, counted_before = r.counted, updated_at = now()
    where excluded.counted > r.counted
    returning *
)
select batch.place, grown.counted_before
from grown
join batch on batch.account_id = grown.account_id and batch.request = grown.request
    and batch.campaign_id = grown.campaign_id and batch.launched_at = grown.launched_at
    and batch.launched_at_nanos = grown.launched_at_nanos and batch.resource_id = grown.resource_id
    and batch.channel = grown.channel and batch.provider = grown.provider and (batch.is_test <> 0) = grown.is_test
"""#

    static let unmatchedEventCopy = #"""
copy ackhub.unmatched_event (account_id, message_key, received_at, record) from stdin (format binary)
"""#

    static let unmatchedEventCount = #"""
-- The events parked for account $1; counting ends at $2, so that a full account costs no more than its limit.
select count(*) from (select from ackhub.unmatched_event where account_id = $1 limit $2::bigint) u
"""#

    static let unmatchedEventList = #"""
-- The $4 parked events after account $1, key $2, event $3, in the order of the primary key.
select account_id, message_key, event_id, received_at
from ackhub.unmatched_event
where (account_id, message_key, event_id) > ($1::bigint, $2::uuid, $3::bigint)
order by account_id, message_key, event_id
limit $4::bigint
"""#

    static let unmatchedEventPurge = #"""
-- Parked events received before $1: nobody knows their message after so long. $2 rows at most, so that many are worked off in
-- portions.
delete from ackhub.unmatched_event
where ctid = any (array(select ctid from ackhub.unmatched_event where received_at < $1 limit $2::bigint))
"""#

    static let unmatchedEventTake = #"""
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
"""#
}
