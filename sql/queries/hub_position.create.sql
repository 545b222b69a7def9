insert into ackhub.hub_position (hub, position) values ($1, 0) on conflict (hub) do nothing
