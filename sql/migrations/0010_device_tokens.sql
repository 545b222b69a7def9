-- A scope for tokens that lie in apps: they report the device's own events and open nothing else.
alter table ackhub.api_token drop constraint api_token_scopes_check;
alter table ackhub.api_token add constraint api_token_scopes_check
    check (scopes <@ array['mint', 'report', 'ingest', 'admin', 'device'] and cardinality(scopes) > 0);

comment on column ackhub.api_token.scopes is 'What it allows: mint, report, ingest, admin, device (report a device''s own events).';
