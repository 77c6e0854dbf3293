"""Who does a write: a person who is logged in, a guest at a table, or the service itself (workers, commands)."""

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


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without an account whom a link has let in to one table: `row` is the row that remembers them.

    Every rule that asks for an account refuses a guest; only those of that table know them.
    """

    row: int
    table: int
    name: str
    pk: None = None
    is_authenticated: bool = False

    def __str__(self) -> str:
        return self.name


Actor: TypeAlias = User | System
Sitter: TypeAlias = User | Guest
Reader: TypeAlias = User | AnonymousUser
Visitor: TypeAlias = User | System | Guest | AnonymousUser


def person(actor: Visitor) -> User | None:
    """The account behind an actor, where there is one."""
    return actor if isinstance(actor, User) else None


def identity(visitor: Visitor) -> str:
    """Tells people apart, with an account and without: equal for the same one, empty for the service and strangers."""
    if isinstance(visitor, User):
        return identity_of(visitor.pk, None)
    return identity_of(None, visitor.row) if isinstance(visitor, Guest) else ""


def identity_of(user: int | None, guest: int | None) -> str:
    """The same by the keys of the rows."""
    if user is not None:
        return f"user:{user}"
    return "" if guest is None else f"guest:{guest}"
