"""Boards: deals by number, sealed deals, and the files of other programs."""
