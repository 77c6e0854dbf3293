"""Names and sentences: which names pass, and what the trail says in any language."""
