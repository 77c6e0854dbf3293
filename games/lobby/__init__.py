"""The list of tables as a place to meet: who is here, which table looks for players, and what a person wants of it."""
