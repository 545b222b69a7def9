update ackhub.hub_position set position = $2, updated_at = now() where hub = $1
