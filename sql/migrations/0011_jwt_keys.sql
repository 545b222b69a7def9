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
