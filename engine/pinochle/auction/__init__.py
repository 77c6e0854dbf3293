"""Auction Pinochle: ``game.AUCTION_PINOCHLE`` is all that the rest of the service needs of it."""
