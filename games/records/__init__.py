"""What a scoresheet says: parsed, put into words, and shown."""
