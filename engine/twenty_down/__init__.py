"""Twenty Down: ``game.TWENTY_DOWN`` is all that the rest of the service needs of it."""
