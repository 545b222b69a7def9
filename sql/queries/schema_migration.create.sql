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
