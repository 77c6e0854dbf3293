"""The open matches of a club's running competitions, for those who enter results and decide matches for others."""

from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.models import Club, Competition, Fixture, Lineup
from league.querysets import UNPLAYED

Status = Fixture.Status
WEEK = timedelta(days=7)

# What can be listed, in the order of the page's tabs.
KINDS = {
    "": _("All open"),
    "late": _("Late"),
    "missing": _("No sheet yet"),
    "to_confirm": _("To confirm"),
    "disputed": _("Disputed"),
    "reopened": _("Reopened"),
    "no_date": _("No date"),
    "soon": _("Next seven days"),
}


def open_matches(club: Club, kind: str, *, at: datetime, name: str = "") -> QuerySet[Fixture]:
    """The open matches of that kind (one of KINDS), those of the earliest rounds first; of pairs with such a name."""
    unplayed = Q(status__in=UNPLAYED)
    wanted = {
        "": Q(),
        "late": unplayed & Q(round__closes_at__lt=at),
        "missing": unplayed & Q(starts_at__lt=at),
        "to_confirm": Q(status=Status.TO_CONFIRM),
        "disputed": Q(status=Status.DISPUTED),
        "reopened": Q(status=Status.REOPENED),
        "no_date": unplayed & Q(starts_at=None),
        "soon": unplayed & Q(starts_at__gte=at, starts_at__lt=at + WEEK),
    }[kind]
    fixtures: QuerySet[Fixture] = (
        Fixture.objects.open()
        .filter(
            wanted,
            _played_by(name),
            division__stage__competition__club=club,
            division__stage__competition__state=Competition.State.RUNNING,
        )
        .staying()
        .with_pairs()
        .order_by("round__closes_at", F("starts_at").asc(nulls_last=True), "division__level", "pk")
    )
    return fixtures


def _played_by(name: str) -> Q:
    """Matches of a pair that, or one of whose players, has all words in the name."""
    found = Q()
    for word in name.split():
        named = Lineup.objects.filter(Q(name__icontains=word) | Q(members__player__name__icontains=word))
        found &= Q(Fixture.objects.has_side(entry__lineup__in=named.values("pk")))
    return found
