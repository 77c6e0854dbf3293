"""Who meets whom in which round."""
