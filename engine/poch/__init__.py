"""Poch: ``game.POCH_FOR_MANY`` is all that the rest of the service needs of it."""
