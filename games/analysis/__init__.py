"""What the cards could have made: asked for, worked out, shown."""
