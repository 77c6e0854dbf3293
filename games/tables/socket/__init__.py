"""Connections of browsers to tables."""
