"""The deal of the day: sealed, the same for everybody, played once with robots, compared when the day is over."""
