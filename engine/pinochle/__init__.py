"""Pinochle in partnerships: ``game.PINOCHLE`` is all that the rest of the service needs of it."""
