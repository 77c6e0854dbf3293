"""Mails by the outbox, and the languages in which they are written."""
