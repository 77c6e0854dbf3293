"""Other programs are told of what happens in a club (docs/webhooks.md)."""
