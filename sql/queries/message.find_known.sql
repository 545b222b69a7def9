select ackhub.known_messages($1)
