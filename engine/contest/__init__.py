"""Contests: who meets whom, and what a result is worth. Knows no card game; counts in exact fractions."""
