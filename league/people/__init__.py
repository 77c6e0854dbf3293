"""Players, pairs, claims, duplicates, and tokens for programs."""
