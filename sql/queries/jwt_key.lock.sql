lock table ackhub.jwt_key in share row exclusive mode
