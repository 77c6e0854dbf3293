"""Links that open one match's scoresheet to the holder of the paper: signed, for this purpose and this match alone.

A link lives as long as its competition runs. It opens the entry to members of the club, nothing else, and who enters is
written down as ever. What a person has opened lies in the session; views attach it to the person for one request.
"""

from collections.abc import MutableMapping
from datetime import timedelta
from typing import Any

from django.core import signing
from django.urls import reverse

from league.actors import Visitor
from league.models import Competition, Fixture, User

SALT = "games.scoresheets.entry_links.scoresheet"
LONGEST = timedelta(days=400)
KEPT = "entry_links"
ATTRIBUTE = "scoresheets_opened_by_link"
GUEST = "is_guest_with_paper"
MOST_KEPT = 50


def token_of(fixture: Fixture) -> str:
    """What proves that we have made the link; it names the match only together with the match's key."""
    return _signer().sign(str(fixture.pk)).partition(":")[2]


def path_of(fixture: Fixture) -> str:
    """The address that the code on the paper has, without the site."""
    return reverse("sheet_link", args=[fixture.pk, token_of(fixture)])


def is_good(fixture: Fixture, token: str) -> bool:
    """Whether the token was made for this match and its event is still going on."""
    if fixture.round.competition.state != Competition.State.RUNNING:
        return False
    try:
        _signer().unsign(f"{fixture.pk}:{token}", max_age=LONGEST)
    except signing.BadSignature:
        return False
    return True


def keep(session: MutableMapping[str, Any], fixture: Fixture, token: str) -> None:
    """Remembers in a person's session what was opened; the latest fifty."""
    kept = {**_kept(session), str(fixture.pk): token}
    session[KEPT] = dict(list(kept.items())[-MOST_KEPT:])


def attach(user: Any, session: MutableMapping[str, Any], fixture: Fixture) -> None:
    """For this request: says to the policies that the person holds a good link to this match."""
    token = _kept(session).get(str(fixture.pk), "")
    if token and isinstance(user, User) and is_good(fixture, token):
        setattr(user, ATTRIBUTE, frozenset({fixture.pk}))


def hold_as_guest(user: User, fixture: Fixture) -> None:
    """For this request: somebody without an account has the match's paper in hand."""
    setattr(user, ATTRIBUTE, frozenset({fixture.pk}))
    setattr(user, GUEST, True)


def is_guest(user: Visitor) -> bool:
    """Whether this stands for somebody without an account who came by the code on a paper."""
    return isinstance(user, User) and getattr(user, GUEST, False) is True


def holds(user: Visitor, fixture: Fixture) -> bool:
    """Whether this person came by a good link to this very match."""
    return isinstance(user, User) and fixture.pk in getattr(user, ATTRIBUTE, ())


def _kept(session: MutableMapping[str, Any]) -> dict[str, str]:
    found = session.get(KEPT)
    return found if isinstance(found, dict) else {}


def _signer() -> signing.TimestampSigner:
    return signing.TimestampSigner(salt=SALT)
