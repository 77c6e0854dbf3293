"""A scoresheet's way from entry to confirmation."""
