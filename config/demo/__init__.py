"""The demo club: people, a season half played, and everything that can happen to a match."""
