"""Sealed boards: sets, imports, releases."""
