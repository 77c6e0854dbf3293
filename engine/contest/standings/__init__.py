"""The table that results make, and why."""
