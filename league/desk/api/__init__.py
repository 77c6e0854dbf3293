"""What the pages of directors and owners do, by programs; and the answers to what they ask of players."""
