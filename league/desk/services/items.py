"""Taking an item off the desk that somebody has looked at; the trail tells who, and of what."""

from django.db import transaction

from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.desk.queries.items import SEEN, SHOWN_AGAIN, DeskItem
from league.models import Club, Fixture
from league.words import sentences


@transaction.atomic
def put_aside(*, actor: Actor, club: Club, item: DeskItem) -> None:
    """Somebody has seen to the item: it is no longer shown, to anybody, as long as it is the same.

    In their own match somebody else sees to it, as long as the club has anybody.
    """
    fixture = _fixture_of(item)
    if fixture is not None:
        policies.require(actor, "fixture.put_aside", fixture)
    _record(
        actor, club, item, fixture=fixture, action=SEEN, said=sentences.gettext("Seen: %(mark)s, %(what)s")
    )


@transaction.atomic
def show_again(*, actor: Actor, club: Club, item: DeskItem) -> None:
    """The item waits on the desk again."""
    said = sentences.gettext("Back on the desk: %(mark)s, %(what)s")
    _record(actor, club, item, fixture=_fixture_of(item), action=SHOWN_AGAIN, said=said)


def _fixture_of(item: DeskItem) -> Fixture | None:
    if not item.fixture:
        return None
    found: Fixture | None = Fixture.with_rooms.with_pairs().filter(pk=item.fixture).first()
    return found


def _record(
    actor: Actor,
    club: Club,
    item: DeskItem,
    *,
    fixture: Fixture | None,
    action: str,
    said: sentences.Sentence,
) -> None:
    policies.require(actor, "club.desk", club)
    audit.record(
        actor=actor,
        action=action,
        summary=said % {"mark": item.mark, "what": item.what},
        club=club,
        fixture=fixture,
        after={"key": item.key, "why": item.why_now},
    )
