"""Bouillotte: ``game.BOUILLOTTE`` is all that the rest of the service needs of it."""
