"""Work that nobody waits for: sweeps, hints after a commit, and trying again."""
