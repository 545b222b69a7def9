select position from ackhub.hub_position where hub = $1
