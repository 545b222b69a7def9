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
