"""Primiera and Primero: one pack, one count, two games. ``game`` has all that the rest of the service needs."""
