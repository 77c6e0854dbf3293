"""The front page, a person's own page, a club, a player, a pair."""
