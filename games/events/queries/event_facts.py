"""The front page of a duplicate event: its rankings, how far it is, and what it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Min, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.queries.sets import names_of_rounds
from games.comparisons.reckoning import rankings
from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.models import Board, BoardSet, Duplicate, SectionMovement
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Competition, Entry


@dataclass(frozen=True, slots=True)
class RankedEvent:
    """The rankings, the fields of the whole event apart from those of its sections; `mine` are the visitor's rows."""

    whole: tuple[Ranking, ...]
    sections: tuple[Ranking, ...]
    mine: tuple[tuple[Ranking, RankingRow], ...]
    own: frozenset[int]
    waiting: tuple[Pair, ...]
    boards_open: int
    boards: int

    @property
    def is_ranked(self) -> bool:
        """Whether anybody has a figure yet."""
        return any(ranking.rows for ranking in self.whole)

    @property
    def is_stale(self) -> bool:
        """Whether newer results wait for a worker."""
        return any(ranking.is_stale for ranking in self.whole)


@dataclass(frozen=True, slots=True)
class SetLine:
    """A set of boards: its numbers, its page with the seal, and whether all its cards are public."""

    name: str
    url: str
    is_open: bool
    boards: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the event is made of."""

    measure: str
    method: str
    tops: str
    least_share: int
    movements: tuple[str, ...]
    sets: tuple[SetLine, ...]


def version(competition: Competition) -> str:
    """Names the state of the rankings: it changes with every result, release and computation."""
    duplicate = Duplicate.objects.filter(competition=competition).annotate(
        ranked=Min("competition__rankings__results_version"),
    )
    newest, ranked = duplicate.values_list("results_version", "ranked").get()
    return f"{newest}-{'' if ranked is None else ranked}"


def ranked(competition: Competition, visitor: Reader) -> RankedEvent:
    """The rankings as they are stored; before there are any, the pairs that play."""
    found = rankings.of_event(competition)
    own = own_entries(visitor, competition)
    whole = tuple(each for each in found if not each.section)
    has_rows = any(each.rows for each in whole)
    counted = Board.objects.filter(board_set__competition=competition, plays__isnull=False).aggregate(
        boards=Count("pk", distinct=True),
        opened=Count("pk", distinct=True, filter=Q(released_at__isnull=False)),
    )
    return RankedEvent(
        whole=whole,
        sections=tuple(each for each in found if each.section),
        mine=tuple((each, row) for each in whole for row in each.rows if row.pair.entry in own),
        own=own,
        waiting=() if has_rows else _pairs(competition),
        boards_open=counted["opened"],
        boards=counted["boards"],
    )


def _pairs(competition: Competition) -> tuple[Pair, ...]:
    # Partners of a round are not ranked: their players are.
    entered = Entry.objects if competition.stage.partners_change else Entry.with_rooms
    entries = entered.active().filter(competition=competition).with_pairs()
    return tuple(pair_of(entry) for entry in entries.order_by("division__level", "number"))


def facts_of(competition: Competition) -> Facts:
    """Scoring, movements and board sets, in four queries."""
    duplicate = Duplicate.objects.get(competition=competition)
    movements = SectionMovement.objects.filter(division__stage__competition=competition).select_related(
        "division"
    )
    return Facts(
        measure=str(duplicate.get_measure_display()),
        method=str(duplicate.get_method_display()),
        tops=str(duplicate.get_tops_display()) if duplicate.method == Duplicate.Way.MATCHPOINTS else "",
        least_share=duplicate.least_share,
        movements=_movements(list(movements.order_by("division__level"))),
        sets=_sets(competition),
    )


def _movements(found: Sequence[SectionMovement]) -> tuple[str, ...]:
    lines = []
    for each in found:
        tables = ngettext("%(count)d table", "%(count)d tables", each.tables) % {"count": each.tables}
        rounds = ngettext("%(count)d round", "%(count)d rounds", each.rounds) % {"count": each.rounds}
        text = f"{each.get_kind_display()}, {tables}, {rounds}"
        lines.append(f"{each.division.name}: {text}" if len(found) > 1 else text)
    return tuple(lines)


def _sets(competition: Competition) -> tuple[SetLine, ...]:
    sets = BoardSet.objects.filter(competition=competition, discarded_at__isnull=True).select_related("round")
    sets = sets.order_by("round__number", "pk")
    names = names_of_rounds(competition, sets)
    played = Board.objects.filter(board_set__in=sets, plays__isnull=False, replaced_by__isnull=True)
    boards: dict[int, list[tuple[int, str, bool]]] = {}
    for each in played.distinct().order_by("number"):
        boards.setdefault(each.board_set_id, []).append(
            (
                each.number,
                reverse("board", args=[each.board_set_id, each.number]),
                each.released_at is not None,
            )
        )
    return tuple(
        SetLine(
            name=names[each.pk] or _("Boards"),
            url=reverse("board_set", args=[each.pk]),
            is_open=each.released_at is not None,
            boards=tuple(boards.get(each.pk, ())),
        )
        for each in sets
    )
