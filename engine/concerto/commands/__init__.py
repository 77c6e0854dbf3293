"""What Concerto can do from the command line."""
