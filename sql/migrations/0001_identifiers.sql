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
