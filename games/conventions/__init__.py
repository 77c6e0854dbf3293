"""What partners have agreed to tell each other by their cards: versions of their convention card."""
