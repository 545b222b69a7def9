-- Of the reports of accounts $1, messages $2, kinds $3 and names $4, received since $5, place by place, those that are stored:
-- their places, from 1.
select place from ackhub.stored_reports($1, $2, $3, $4, $5) as s (place)
