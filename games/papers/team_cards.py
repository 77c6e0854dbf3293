"""Score cards of teams: every match of a round board by board over both rooms, as far as its boards are public."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from engine.contest.teams import Two
from games.matches.team_matches import TeamMatchPage, team_match
from games.papers.orders import NothingToPrint, Order, Product
from games.papers.typesetting import pdf
from league.models import Fixture
from league.standings import round_names
from league.web.number_format import signed_text

NOBODY = AnonymousUser()


def make(order: Order) -> Product:
    """A table for each match of the round that has its rooms; what is still sealed has a dash to write over."""
    found = list(_matches(order))
    if not found:
        raise NothingToPrint(_("No match of teams has its two rooms yet."))
    order.tell(1, 1)
    content = order.page(
        _("Score cards"), place=_("Board"), pair="", number="", score="", times="", **{"boards-title": ""}
    )
    content |= {"rankings": found, "boards": [], "under": [order.competition.name]}
    return Product(_("score-cards.pdf"), pdf("results", content))


def _matches(order: Order) -> Iterator[dict[str, Any]]:
    fixtures = Fixture.objects.of_competition(order.competition.pk)
    if order.round is not None:
        fixtures = fixtures.filter(round=order.round)
    for fixture in fixtures.with_pairs().order_by("round__number", "pk"):
        page = team_match(fixture=fixture, visitor=NOBODY)
        if page.boards:
            yield _card(page)


def _card(page: TeamMatchPage) -> dict[str, Any]:
    fixture, sums = page.fixture, page.sums
    rooms = [
        f"{room.name}: {' – '.join(f'{pair} ({team})' for team, pair in room.sides)}" for room in page.rooms
    ]
    rows = [
        {
            "place": str(line.board.number),
            "name": line.said if line.average or line.is_mixed else "",
            "number": "",
            "figures": [
                _points(line.open),
                _points(line.closed),
                "–" if line.net is None else signed_text(line.net),
                *(["–", "–"] if line.imps is None else [signed_text(each) for each in line.imps]),
            ],
        }
        for line in page.boards
    ]
    note = f"{fixture.home} {sums.points_text} {fixture.away}. {sums.why}" if sums else ""
    return {
        "title": str(fixture),
        "under": [round_names.of_fixture(fixture), *rooms],
        "columns": [
            _("Open room"),
            _("Closed room"),
            _("Net"),
            *(_("IMPs %(team)s") % {"team": team} for team in (fixture.home, fixture.away)),
        ],
        "rows": rows,
        "note": note,
    }


def _points(made: Two | None) -> str:
    return "–" if made is None else f"{made[0]} : {made[1]}"
