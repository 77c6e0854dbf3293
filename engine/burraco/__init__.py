"""Burraco for four in partnerships: ``game.BURRACO`` is all that the rest of the service needs of it."""
