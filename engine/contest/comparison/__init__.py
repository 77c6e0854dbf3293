"""One board's results beside each other: matchpoints, IMPs, victory points."""
