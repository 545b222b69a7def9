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
