"""Papers for the room: what is printed, and how it is set. Nothing here writes a row or decides who may have it."""
