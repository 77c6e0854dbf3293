"""Clubs, their members and invitations."""
