"""What could have been made of the cards: exact, compiled, and what each hand cost."""
