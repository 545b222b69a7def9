select to_regclass('ackhub.schema_migration') is not null
