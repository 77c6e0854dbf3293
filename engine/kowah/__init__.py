"""Kowah: ``game.KOWAH`` is all that the rest of the service needs of it."""
