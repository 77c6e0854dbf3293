"""Taking a matter off the desk that somebody has looked at; the trail tells who, and of what."""

from django.db import transaction

from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.desk.queries.items import SEEN, SHOWN_AGAIN, Matter
from league.models import Club, Fixture
from league.words import sentences


@transaction.atomic
def put_aside(*, actor: Actor, club: Club, matter: Matter) -> None:
    """Somebody has seen to the matter: it is no longer shown, to anybody, as long as it is the same.

    Of the own match somebody else sees to it, as long as the club has anybody.
    """
    fixture = _fixture_of(matter)
    if fixture is not None:
        policies.require(actor, "fixture.put_aside", fixture)
    _record(
        actor, club, matter, fixture=fixture, action=SEEN, said=sentences.gettext("Seen: %(mark)s, %(what)s")
    )


@transaction.atomic
def show_again(*, actor: Actor, club: Club, matter: Matter) -> None:
    """The matter waits on the desk again."""
    said = sentences.gettext("Back on the desk: %(mark)s, %(what)s")
    _record(actor, club, matter, fixture=_fixture_of(matter), action=SHOWN_AGAIN, said=said)


def _fixture_of(matter: Matter) -> Fixture | None:
    if not matter.fixture:
        return None
    found: Fixture | None = Fixture.objects.with_pairs().filter(pk=matter.fixture).first()
    return found


def _record(
    actor: Actor,
    club: Club,
    matter: Matter,
    *,
    fixture: Fixture | None,
    action: str,
    said: sentences.Sentence,
) -> None:
    policies.require(actor, "club.desk", club)
    audit.record(
        actor=actor,
        action=action,
        summary=said % {"mark": matter.mark, "what": matter.what},
        club=club,
        fixture=fixture,
        after={"key": matter.key, "why": matter.why_now},
    )
