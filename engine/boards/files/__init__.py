"""Deals and played deals in the formats of other programs and machines: see docs/notation.md."""
