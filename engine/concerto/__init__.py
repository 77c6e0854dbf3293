"""Concerto: the game by David Parlett, as docs/engine.md numbers its rules."""
