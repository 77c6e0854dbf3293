"""What a leader's first two cards tell partner: systems, convention cards, and their meaning."""
