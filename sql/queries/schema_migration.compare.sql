-- $1 numbers, $2 texts of the files at hand: which are applied, and whether with this text.
select applied.number, applied.checksum = encode(sha256(convert_to(file.text, 'UTF8')), 'hex') as is_same
from unnest($1::bigint[], $2::text[]) as file (number, text)
join ackhub.schema_migration applied on applied.number = file.number
