"""The tables of results, stored and verified."""
