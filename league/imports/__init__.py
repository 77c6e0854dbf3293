"""Players and pairs from a CSV file."""
