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
