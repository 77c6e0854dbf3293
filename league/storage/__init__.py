"""How rows are kept: append-only, encrypted, rewritten under triggers."""
