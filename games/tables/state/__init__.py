"""What is known of a table, and what each seat sees of it."""
