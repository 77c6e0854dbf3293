"""Who sits where with which boards, when one set goes round a room."""
