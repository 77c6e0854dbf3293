"""The demo club: people, a season half played, and everything that can happen to a match."""

from config.demo.building import build
from config.demo.people import Login, logins

__all__ = ["Login", "build", "logins"]
