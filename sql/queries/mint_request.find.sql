select first_sent_at, first_sent_at_nanos, digest = $3 as is_same
from ackhub.mint_request
where account_id = $1 and request = $2
