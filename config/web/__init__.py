"""How the site answers any request: what it weighs, what is refused, what is kept, what goes with it."""
