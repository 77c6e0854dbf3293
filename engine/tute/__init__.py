"""Tute for four in partnerships: ``game.TUTE`` is all that the rest of the service needs of it."""
