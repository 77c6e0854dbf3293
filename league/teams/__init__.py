"""Teams of four: captains, whom they send into which room, and the rooms of a match (rules F60, F61, F68)."""
