"""Pontoon: ``game.PONTOON`` is all that the rest of the service needs of it."""
