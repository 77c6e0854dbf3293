"""Final results: rankings and tables, and of every released board how often each score came about."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.contest import exact
from games.comparisons.reckoning import plays, rankings
from games.comparisons.reckoning.plays import Play
from games.comparisons.reckoning.rankings import Ranking
from games.events.queries import travellers
from games.models import Board, Comparison, Duplicate
from games.papers.orders import NothingToPrint, Order, Product
from games.papers.typesetting import pdf
from games.seating import side_letters
from league.models import Competition
from league.results.queries import ladder, standings_view
from league.results.queries.ladder import DivisionLadder
from league.results.queries.standings_view import DivisionStandings
from league.web.local_time import day_text
from league.web.number_format import decimal_text, signed_text

NOBODY = AnonymousUser()


def make(order: Order) -> Product:
    """The rankings as they stand, the league's tables where there are some, and the boards that are public."""
    found = [
        *_tables(order.competition),
        *(_ranking(order, each) for each in rankings.of_event(order.competition)),
    ]
    boards = list(_boards(order.competition))
    if not found and not boards:
        raise NothingToPrint(_("There are no results to print yet."))
    order.tell(1, 1)
    content = order.page(
        _("Results"),
        place=_("Place"),
        pair=order.competition.entry_title,
        number="" if order.competition.stage.is_ladder else _("No."),
        score=_("Score, %(side)s") % {"side": next(iter(side_letters(order.competition.game).values()))},
        times=_("Times"),
        **{"boards-title": _("Board by board")},
    )
    content |= {"rankings": found, "boards": boards, "under": [order.competition.name]}
    name = _("ladder.pdf") if order.competition.stage.is_ladder else _("results.pdf")
    return Product(name, pdf("results", content))


def _tables(competition: Competition) -> Iterator[dict[str, Any]]:
    """The league's tables, division by division."""
    if not competition.stage.is_league:
        return
    if competition.stage.is_ladder:
        yield from (
            _ladder(competition, found)
            for found in ladder.of_competition(competition, NOBODY, at=timezone.now())
            if found.rows
        )
        return
    numbers = dict(competition.entries.values_list("pk", "number"))
    for division in standings_view.of_competition(competition, NOBODY, at=timezone.now()):
        if division.rows:
            yield _table(competition, division, numbers)


def _ladder(competition: Competition, found: DivisionLadder) -> dict[str, Any]:
    """Who stands where, and how many places each has moved lately."""
    since = day_text(found.since, "j M") if found.since else ""
    return {
        "title": found.name,
        "under": [competition.name],
        "columns": [_("Since %(day)s") % {"day": since}],
        "rows": [
            {
                "place": str(row.place),
                "name": f"{row.pair} ({pgettext('from a ladder', 'away')})" if row.is_away else str(row.pair),
                "number": "",
                "figures": [_("new") if row.moved is None else signed_text(row.moved)],
            }
            for row in found.rows
        ],
        "note": "",
    }


def _table(competition: Competition, division: DivisionStandings, numbers: dict[int, int]) -> dict[str, Any]:
    return {
        "title": division.name,
        "under": [competition.name],
        "columns": [_("Played"), _("Points for"), _("against"), _("Points")],
        "rows": [
            {
                "place": row.place,
                "name": row.pair.name,
                "number": str(numbers.get(row.pair.entry, "")),
                "figures": [
                    str(row.played),
                    decimal_text(row.score_for),
                    decimal_text(row.score_against),
                    row.points,
                ],
            }
            for row in division.rows
        ],
        "note": "",
    }


def _ranking(order: Order, ranking: Ranking) -> dict[str, Any]:
    numbers = dict(order.competition.entries.values_list("pk", "number"))
    is_matchpoints = ranking.is_matchpoints
    sums = [_("Matchpoints"), _("Percent")] if is_matchpoints else [_("IMPs"), _("per board"), _("VP")]
    notes = []
    if not ranking.is_complete:
        values = {"counted": ranking.boards_counted, "total": ranking.boards_total}
        notes.append(_("%(counted)d of %(total)d boards count so far.") % values)
    if ranking.has_apart:
        notes.append(
            _("Pairs with fewer than %(needed)d boards have no place.") % {"needed": ranking.boards_needed}
        )
    # Pairs of teams are ranked by their boards, and have no number.
    heads = {"pair": _("Pair"), "number": ""} if order.competition.is_of_teams else {}
    return {
        **heads,
        "title": ranking.title,
        "under": [order.competition.name],
        "columns": [_("Boards"), *sums],
        "rows": [
            {
                "place": "–" if row.rank is None else f"{row.rank}{'=' if row.is_shared else ''}",
                "name": row.pair.name,
                "number": str(numbers.get(row.pair.entry, "")),
                "figures": [
                    str(row.boards),
                    row.value_text,
                    row.text,
                    *([] if is_matchpoints else [row.victory_points_text]),
                ],
            }
            for row in ranking.rows
        ],
        "note": " ".join(notes),
    }


def _boards(competition: Competition) -> Iterator[dict[str, Any]]:
    """The boards that are public and compared, by number, in a handful of queries."""
    duplicate = Duplicate.objects.filter(pk=competition.pk).first()
    if duplicate is None:
        return
    released = Board.objects.filter(board_set__competition=competition, released_at__isnull=False)
    contents = dict(Comparison.objects.filter(board__in=released).values_list("board_id", "content"))
    played: dict[int, list[Play]] = defaultdict(list)
    for play in plays.read(plays.of_competition(competition), NOBODY, competition):
        if play.board in contents:
            played[play.board].append(play)
    for found in sorted(played.values(), key=lambda found: (found[0].set, found[0].number)):
        yield _frequencies(found, contents[found[0].board], duplicate)


def _frequencies(found: Iterable[Play], content: dict[str, Any], duplicate: Duplicate) -> dict[str, Any]:
    """How often each score came about, the best of the first side first, and what it was worth both ways."""
    in_order = travellers.in_order(found, duplicate)
    lines: Counter[tuple[str, str, str, str]] = Counter()
    for play in in_order:
        figures = content["plays"].get(str(play.key))
        if figures is not None:
            ns, ew = figures[play.first], figures[play.second]
            lines[play.version, _score(play, figures, duplicate), _value(ns), _value(ew)] += 1
    return {
        "title": _("Board %(number)d") % {"number": in_order[0].number},
        "columns": list(side_letters(in_order[0].game).values()),
        "rows": [
            {
                "score": f"{score} ({version})" if version else score,
                "times": str(times),
                "figures": [ns, ew],
            }
            for (version, score, ns, ew), times in lines.items()
        ],
    }


def _score(play: Play, figures: dict[str, Any], duplicate: Duplicate) -> str:
    if figures["award"] is not None:
        return _("adjusted")
    measured = travellers.measured(play, duplicate)
    if measured is None:
        return "–"
    return str(measured) if duplicate.measure == Duplicate.Measure.OWN else signed_text(measured)


def _value(figure: dict[str, Any]) -> str:
    value: Fraction = exact.restore(figure["value"])
    return decimal_text(value)
