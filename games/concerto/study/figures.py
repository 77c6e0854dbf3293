"""How a pair plays: what its points come from, what it gives up against best play, and what its left-overs give away.

Figures of hands that were taken down when sheets were confirmed, added up by the database beside those of everybody in
the competition: a fixed number of queries, however many matches there are. All means are exact.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, QuerySet, Sum
from django.utils.translation import gettext

from games.concerto.values import offered_values
from games.models import PlayedHand, PlayedSide
from league.actors import Reader
from league.models import Competition, Entry, Lineup, Player

Hands = QuerySet[PlayedHand]
Sides = QuerySet[PlayedSide]
COMPETITION = "played__entry__competition"
ROUND = "played__deal__sheet__match__fixture__round__number"


@dataclass(frozen=True, slots=True)
class ValueLine:
    """One combination: how often it was made, what it gave, and how often others make it."""

    words: str
    count: int
    points: int
    share: Fraction
    usual: Fraction

    @property
    def percent(self) -> int:
        """How many of a hundred of their own hands."""
        return round(self.share)

    @property
    def usual_percent(self) -> int:
        """How many of a hundred of everybody's."""
        return round(self.usual)


@dataclass(frozen=True, slots=True)
class Compared:
    """A mean beside that of everybody in the competition; None where nothing is known."""

    own: Fraction | None
    usual: Fraction | None


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round: points given up a hand, beside everybody's."""

    number: int
    cost: Compared


@dataclass(frozen=True, slots=True)
class PlayIn:
    """The play in one competition."""

    competition: Competition
    hands: int
    points: Compared
    cost: Compared
    given_away: Compared
    values: tuple[ValueLine, ...]
    rounds: tuple[RoundLine, ...]


def of_pair(pair: Lineup, user: Reader) -> tuple[PlayIn, ...]:
    """The pair's play in every competition that this visitor may know of, the newest first."""
    entries = Entry.with_rooms.filter(lineup=pair)
    return _play(
        PlayedHand.objects.filter(played__entry__in=entries),
        PlayedSide.objects.filter(entry__in=entries),
        user,
    )


def of_player(player: Player, user: Reader) -> tuple[PlayIn, ...]:
    """The play of the pairs in whose seats this player sat, also as a substitute."""
    return _play(
        PlayedHand.objects.filter(
            played__deal__sheet__match__seats__player=player,
            played__deal__sheet__match__seats__entry=F("played__entry"),
        ),
        PlayedSide.objects.filter(
            deal__sheet__match__seats__player=player, deal__sheet__match__seats__entry=F("entry")
        ),
        user,
    )


def _play(hands: Hands, sides: Sides, user: Reader) -> tuple[PlayIn, ...]:
    visible = Competition.objects.visible_to(user)
    own = _by_value(hands.filter(**{f"{COMPETITION}__in": visible}))
    competitions = list(
        Competition.objects.filter(pk__in=own).select_related("club", "season").order_by("-starts_on", "-pk")
    )
    everybody = PlayedHand.objects.filter(**{f"{COMPETITION}__in": own})
    usual = _by_value(everybody)
    rounds, usual_rounds = _by_round(hands), _by_round(everybody)
    away = _given_away(sides)
    usual_away = _given_away(PlayedSide.objects.filter(entry__competition__in=own))
    return tuple(
        PlayIn(
            competition=each,
            hands=_sum(own[each.pk], "count"),
            points=Compared(_mean(own[each.pk], "made", "count"), _mean(usual[each.pk], "made", "count")),
            cost=Compared(
                _mean(own[each.pk], "given_up", "costed"), _mean(usual[each.pk], "given_up", "costed")
            ),
            given_away=Compared(away.get(each.pk), usual_away.get(each.pk)),
            values=_values(each.game, own[each.pk], usual[each.pk]),
            rounds=_rounds(rounds.get(each.pk, []), usual_rounds.get(each.pk, [])),
        )
        for each in competitions
    )


Rows = list[dict[str, Any]]


def _by_value(hands: Hands) -> dict[int, Rows]:
    found = hands.counting().values(COMPETITION, "value").order_by(COMPETITION, "value")  # type: ignore[attr-defined]
    return _grouped(found.annotate(count=Count("pk"), **_SUMS), COMPETITION)


def _by_round(hands: Hands) -> dict[int, Rows]:
    found = hands.counting().values(COMPETITION, ROUND).order_by(COMPETITION, ROUND)  # type: ignore[attr-defined]
    return _grouped(found.annotate(**_SUMS), COMPETITION)


_SUMS = {"made": Sum("points"), "given_up": Sum("cost"), "costed": Count("cost")}


def _given_away(sides: Sides) -> dict[int, Fraction]:
    """The mean of what left-overs gave away in a deal, by competition."""
    found = sides.counting().filter(given_away__isnull=False).values("entry__competition").order_by()  # type: ignore[attr-defined]
    rows = found.annotate(total=Sum("given_away"), deals=Count("pk"))
    return {row["entry__competition"]: Fraction(row["total"], row["deals"]) for row in rows}


def _grouped(rows: Iterable[dict[str, Any]], key: str) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def _sum(rows: Rows, name: str) -> int:
    return sum(row[name] or 0 for row in rows)


def _mean(rows: Rows, total: str, count: str) -> Fraction | None:
    number = _sum(rows, count)
    return Fraction(_sum(rows, total), number) if number else None


def _values(game: str, own: Rows, usual: Rows) -> tuple[ValueLine, ...]:
    """The combinations that anybody in the competition made, in the game's own order, splits taken together."""
    titles = {value.key: str(value.combination.title) for value in offered_values(game, left=False)}
    mine, all_of_them = _by_title(own, titles), _by_title(usual, titles)
    hands, others = sum(n for n, _ in mine.values()), sum(n for n, _ in all_of_them.values())
    return tuple(
        ValueLine(
            words=gettext(title),
            count=count,
            points=points,
            share=Fraction(100 * count, hands or 1),
            usual=Fraction(100 * all_of_them[title][0], others or 1),
        )
        for title in dict.fromkeys(titles.values())
        if title in all_of_them
        for count, points in [mine.get(title, (0, 0))]
    )


def _by_title(rows: Rows, titles: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        title = titles.get(row["value"])
        if title is not None:
            count, points = found.get(title, (0, 0))
            found[title] = (count + row["count"], points + row["made"])
    return found


def _rounds(own: Rows, usual: Rows) -> tuple[RoundLine, ...]:
    others = {row[ROUND]: row for row in usual}
    return tuple(
        RoundLine(
            row[ROUND],
            Compared(_mean([row], "given_up", "costed"), _mean([others[row[ROUND]]], "given_up", "costed")),
        )
        for row in own
        if row["costed"]
    )
