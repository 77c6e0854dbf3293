"""Play or Pay: ``game.PLAY_OR_PAY`` is all that the rest of the service needs of it."""
