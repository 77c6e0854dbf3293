"""Stealing Bundles: ``game.STEALING_BUNDLES`` is all that the rest of the service needs of it."""
