"""What a visitor may know of: everything else is not there, for programs as for the pages."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.http import Http404

from league import policies
from league.actors import Visitor
from league.models import Competition, Entry, Fixture, Lineup
from league.querysets import LineupQuerySet


def competition(*, user: Visitor, key: int) -> Competition:
    """The competition, with what its pages show; raises Http404 where the visitor may not know of it."""
    found = Competition.objects.with_stage().select_related("club", "season").filter(pk=key).first()
    return _seen(user, "competition.see", found)


def entry(*, user: Visitor, key: int) -> Entry:
    """The entry with its pair; raises Http404 where the visitor may not know of its competition."""
    found = Entry.objects.with_pairs().select_related("division__stage").filter(pk=key).first()
    if found is None or not policies.may(user, "competition.see", found.competition):
        raise Http404
    return found


def fixture(*, user: Visitor, key: int) -> Fixture:
    """The fixture with its pairs and substitutes; raises Http404 where the visitor may not know of it."""
    fixtures = Fixture.with_rooms.with_pairs().prefetch_related("substitutions__substitute")
    return _seen(user, "fixture.see", fixtures.filter(pk=key).first())


def bare_fixture(*, user: Visitor, key: int) -> Fixture:
    """The fixture alone, for a service that locks and reads it; raises Http404 where the visitor may not know of it."""
    fixtures = Fixture.with_rooms.select_related("round__stage__competition__club")
    return _seen(user, "fixture.see", fixtures.filter(pk=key).first())


def pairs(*, user: Visitor) -> LineupQuerySet:
    """Pairs this visitor may know of: all for people with an account, else those in public competitions."""
    found: LineupQuerySet = Lineup.objects.present().with_players()
    if user.is_authenticated:
        return found
    visible = Competition.objects.visible_to(AnonymousUser())
    return found.filter(Exists(Entry.objects.filter(lineup=OuterRef("pk"), competition__in=visible)))


def _seen(user: Visitor, action: str, thing: Any) -> Any:
    if thing is None or not policies.may(user, action, thing):
        raise Http404
    return thing
