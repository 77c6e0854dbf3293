"""What games with stakes and a pot have in common: what nobody wins lies on the table of the next deal."""
