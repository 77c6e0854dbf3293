"""The director's pages of one competition: setting it up and managing it."""
