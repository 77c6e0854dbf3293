"""Who plays in it: entries, late entries, withdrawals, adjustments."""
