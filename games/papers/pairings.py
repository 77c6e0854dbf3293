"""Papers of rounds that are drawn one by one: who meets whom, by table and by name, and the bracket of a knock-out."""

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from games.papers.orders import NothingToPrint, Order, Product
from games.papers.typesetting import pdf
from league.draws import queries as draws
from league.draws.queries import Pairing
from league.draws.services import players
from league.fixtures import queries as fixtures
from league.models import Round
from league.results.queries import bracket as brackets
from league.results.queries.bracket import BracketRound, DivisionBracket, SideLine, TieLine
from league.standings import round_names
from league.web.number_format import written

NOBODY = AnonymousUser()
ROUNDS_A_SHEET, MATCHES_A_SHEET = 6, 32


def pairing_list(order: Order) -> Product:
    """The tables of a round (the one drawn last, if none is chosen) of every division, then everybody by name."""
    drawn = order.round or fixtures.last_drawn(order.competition)
    found = draws.pairings(order.competition, drawn) if drawn else []
    if drawn is None or not found:
        raise NothingToPrint(_("This round isn’t drawn yet."))
    order.tell(1, 1)
    if order.competition.stage.has_register:
        return _seating(order, drawn, found)
    round_name = str(round_names.of_round(drawn))
    content = order.page(f"{round_name}: {_('Pairing list')}")
    if order.competition.stage.is_bracket:
        # Nobody has points in a knock-out.
        row, shape = (
            _by_table_alone,
            {"columns": [_("Table"), _("Home"), _("Away")], "wide": [1, 2], "figures": [0]},
        )
    else:
        columns = [_("Table"), _("Home"), _("Points"), _("Away"), _("Points")]
        row, shape = _by_table, {"columns": columns, "wide": [1, 3], "figures": [0, 2, 4]}
    content["lists"] = [{**each, **shape} for each in _lists(order, round_name, found, row)] + [
        _names(order, round_name, found, _("Opponents"))
    ]
    return Product(_("pairings.pdf"), pdf("pairings", content))


def _seating(order: Order, drawn: Round, found: list[Pairing]) -> Product:
    """Who sits at which table, in the order in which they sit, then everybody by name."""
    round_name = str(round_names.of_round(drawn))
    content = order.page(f"{round_name}: {_('Seating list')}")
    content["lists"] = [
        {**each, "columns": [_("Table"), _("Players")], "wide": [1], "figures": [0]}
        for each in _lists(order, round_name, found, _seats)
    ] + [
        _names(
            order, round_name, found, _("Against") if order.competition.stage.partners_change else _("With")
        )
    ]
    return Product(_("seating.pdf"), pdf("pairings", content))


def _lists(
    order: Order, round_name: str, found: list[Pairing], row: Callable[[Pairing], list[str]]
) -> Iterator[dict[str, Any]]:
    """The tables of each division, on a page of their own."""
    divisions = list(dict.fromkeys(each.division for each in found))
    for division in divisions:
        yield {
            "title": f"{round_name}: {_('Tables')}",
            "under": [order.competition.name, *([division.name] if len(divisions) > 1 else [])],
            "rows": [row(each) for each in found if each.division == division],
        }


def _names(order: Order, round_name: str, found: list[Pairing], others: str) -> dict[str, Any]:
    """Everybody of all divisions by name; ``others`` stands above whom they meet."""
    by_name = _("By name")
    return {
        "title": f"{round_name}: {by_name}",
        "under": [order.competition.name],
        "columns": [_("Name"), _("Table"), "", others],
        "wide": [0, 3],
        "figures": [1],
        "rows": sorted((row for each in found for row in _by_name(each)), key=lambda row: row[0].casefold()),
    }


def _seats(pairing: Pairing) -> list[str]:
    if pairing.table is None:
        return ["–", f"{pairing.alone}: {_('no match in this round')}"]
    if isinstance(pairing.table, players.Table):
        ns, ew = (" / ".join(map(str, pair)) for pair in (pairing.table.ns, pairing.table.ew))
        return [str(pairing.table.number), f"{ns} – {ew}"]
    return [str(pairing.table.number), ", ".join(map(str, pairing.entries))]


def _by_table(pairing: Pairing) -> list[str]:
    if pairing.table is None:
        return ["–", str(pairing.alone), "", _("no match in this round"), ""]
    (first, second), (home, away) = map(written, pairing.table.scores), pairing.entries
    return [str(pairing.table.number), str(home), first, str(away), second]


def _by_table_alone(pairing: Pairing) -> list[str]:
    if pairing.table is None:
        return ["–", str(pairing.alone), _("no match in this round")]
    return [str(pairing.table.number), *map(str, pairing.entries)]


def _by_name(pairing: Pairing) -> Iterator[list[str]]:
    for entry in pairing.entries:
        others = [str(each) for each in pairing.entries if each != entry]
        has_home = pairing.table is not None and not pairing.division.stage.has_register
        where = "" if not has_home else _("home") if entry == pairing.entries[0] else _("away")
        if isinstance(pairing.table, players.Table):
            where = _("with %(partner)s") % {"partner": pairing.table.partner_of(entry)}
            others = [str(each) for each in pairing.table.opponents_of(entry)]
        for player in entry.lineup.players:
            yield [
                player.name,
                "–" if pairing.table is None else str(pairing.table.number),
                where,
                ", ".join(others) or _("no match in this round"),
            ]


def bracket(order: Order) -> Product:
    """Every division's bracket: six rounds a sheet, so that up to 64 entries stand on one."""
    found = [each for each in brackets.of_competition(order.competition, NOBODY) if each.rounds]
    if not found:
        raise NothingToPrint(_("The bracket isn’t drawn yet."))
    sheets = [sheet for each in found for sheet in _sheets(order, each, of=len(found))]
    order.tell(len(sheets), len(sheets))
    content = order.page(_("Bracket")) | {"sheets": sheets}
    return Product(_("bracket.pdf"), pdf("bracket", content))


def _sheets(order: Order, division: DivisionBracket, *, of: int) -> Iterator[dict[str, Any]]:
    """Of a larger bracket the first rounds come in parts of 32 matches; the last six rounds are the last sheet."""
    early = max(0, len(division.rounds) - ROUNDS_A_SHEET)
    under = [order.competition.name, *([division.name] if of > 1 else [])]
    if early:
        parts = len(division.rounds[0].ties) // MATCHES_A_SHEET
        for part in range(parts):
            rounds = [_round(each, part, parts) for each in division.rounds[:early]]
            title = _("Bracket, part %(number)d of %(parts)d") % {"number": part + 1, "parts": parts}
            yield {"title": title, "under": under, "rounds": rounds}
    champion = [_("Winner: %(name)s") % {"name": division.champion}] if division.champion else []
    rounds = [_round(each, 0, 1) for each in division.rounds[early:]]
    yield {"title": _("Bracket"), "under": [*under, *champion], "rounds": rounds}


def _round(shown: BracketRound, part: int, parts: int) -> dict[str, Any]:
    """The matches of a round that belong to one part of the bracket."""
    size = len(shown.ties) // parts
    return {
        "name": shown.name,
        "matches": [_match(each) for each in shown.ties[part * size : (part + 1) * size]],
    }


def _match(tie: TieLine) -> dict[str, Any]:
    note = " · ".join(filter(None, (tie.name, tie.note)))
    return {"sides": [_side(each) for each in tie.sides], "note": note}


def _side(side: SideLine) -> dict[str, Any]:
    return {
        "seed": str(side.seed or ""),
        "name": side.pair.name if side.pair else side.words,
        "score": side.score,
        "won": side.goes_on,
        "waits": side.pair is None,
    }
