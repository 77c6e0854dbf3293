"""How the site answers any request: its limits, refusals, caches and headers."""
