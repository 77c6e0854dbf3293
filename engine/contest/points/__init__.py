"""What a match is worth in league points."""
