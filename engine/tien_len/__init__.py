"""Tien Len: ``game.TIEN_LEN`` is all that the rest of the service needs of it."""
