"""Duplicate evenings: movements, room, clock."""
