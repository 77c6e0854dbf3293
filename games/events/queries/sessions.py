"""The events in which a pair or a player was compared with others at the same boards, the newest first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.contest import exact
from games.comparisons.reckoning.fields import WHOLE_EVENT
from games.comparisons.reckoning.figures import decimal_text
from games.models import EventRanking
from league.actors import Reader
from league.fixtures.queries import Pair, pair_of
from league.models import Competition, Entry, Lineup, Player

MOST = 30


@dataclass(frozen=True, slots=True)
class Session:
    """An event: the pair's place among so many, and its figure, once there is a ranking."""

    competition: Competition
    pair: Pair
    rank: int | None
    of: int
    boards: int
    figure: str

    @property
    def url(self) -> str:
        """The pair's scorecard."""
        return reverse("scorecard", args=[self.competition.club.slug, self.competition.slug, self.pair.entry])


def of_pair(pair: Lineup, visitor: Reader) -> tuple[Session, ...]:
    """Those of a pair."""
    return tuple(_sessions(Q(lineup=pair), visitor))


def of_player(player: Player, visitor: Reader) -> tuple[Session, ...]:
    """Those of all pairs of a player."""
    return tuple(_sessions(Q(lineup__members__player=player), visitor))


def _sessions(chosen: Q, visitor: Reader) -> Iterator[Session]:
    """In two queries, whatever the number of events."""
    entries: QuerySet[Entry] = Entry.with_rooms.filter(
        chosen,
        competition__duplicate__isnull=False,
        competition__in=Competition.objects.visible_to(visitor),
    ).exclude(team__isnull=False, competition__team_method="")  # partners for one round
    found = list(
        entries.select_related("competition__club", "competition__season", "lineup")
        .prefetch_related("lineup__members")
        .order_by("-competition__starts_on", "-competition_id")[:MOST]
    )
    ranked = _rows({entry.competition_id for entry in found})
    for entry in found:
        row, count = ranked.get(entry.pk, ({}, 0))
        yield Session(
            competition=entry.competition,
            pair=pair_of(entry),
            rank=row.get("rank"),
            of=count,
            boards=row.get("boards", 0),
            figure=_figure(row),
        )


def _rows(competitions: Iterable[int]) -> Mapping[int, tuple[Mapping[str, Any], int]]:
    """The entries' rows in the rankings of whole events, each with the number of pairs that can have a place there."""
    found = EventRanking.objects.filter(competition__in=competitions, round_number=WHOLE_EVENT)
    whole = found.exclude(field__contains=":").values_list("content", flat=True)
    return {
        row["entry"]: (row, sum(not each.get("apart") for each in content["rows"]))
        for content in whole
        for row in content["rows"]
    }


def _figure(row: Mapping[str, Any]) -> str:
    if not row:
        return ""
    if row["percent"] is None:
        return decimal_text(exact.restore(row["mean"]), 2, signed=True)
    return _("%(figure)s%%") % {"figure": decimal_text(exact.restore(row["percent"]), 2)}
