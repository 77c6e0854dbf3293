"""What people read and do for themselves."""
