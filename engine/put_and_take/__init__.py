"""Put and Take: ``game.PUT_AND_TAKE`` is all that the rest of the service needs of it."""
