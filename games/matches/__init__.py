"""The match page."""
