"""The director's desk: what to do next."""
