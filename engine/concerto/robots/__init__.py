"""Robots that play Concerto, and the tournament in which they are compared."""
