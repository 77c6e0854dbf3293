"""A deal as people wrote it down: parsed, checked, summed up and described (R1 to R14)."""
