"""Who meets whom, and lots."""
