"""The expert: a search over what its partner may hold."""
