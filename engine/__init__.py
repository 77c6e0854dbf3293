"""The rules of card games and of contests: pure Python, frozen values, no clock, no global randomness."""
