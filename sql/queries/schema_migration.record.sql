insert into ackhub.schema_migration (number, name, checksum)
values ($1::bigint, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
