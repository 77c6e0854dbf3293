"""What everybody sees of a competition: tables, fixtures, progress, pairs."""
