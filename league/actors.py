"""Who does a write: a person who is logged in, or the service itself (workers, commands)."""

from dataclasses import dataclass
from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser

from league.models import User


@dataclass(frozen=True, slots=True)
class System:
    """The service acting on its own, under the name that the audit trail shows."""

    name: str
    pk: None = None
    is_authenticated: bool = True

    def __str__(self) -> str:
        return self.name


Actor: TypeAlias = User | System
Reader: TypeAlias = User | AnonymousUser
Visitor: TypeAlias = User | System | AnonymousUser


def person(actor: Actor) -> User | None:
    """The account behind an actor, where there is one."""
    return actor if isinstance(actor, User) else None
