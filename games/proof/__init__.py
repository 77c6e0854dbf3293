"""What counts as having played, and who has seen which cards."""
