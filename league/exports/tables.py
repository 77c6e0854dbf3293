"""What stands in each table to take away: its columns, and its rows as this reader may see them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from fractions import Fraction
from typing import TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.contest import exact
from league import extension, policies
from league.actors import Reader
from league.draws import queries as draws
from league.draws.queries import Pairing
from league.draws.services import players as swiss_of_players
from league.fixtures import queries as fixture_queries
from league.fixtures.queries import FixtureLine, Pair, pair_of
from league.models import Club, Competition, Entry, Fixture, Round
from league.querysets import FixtureQuerySet
from league.results.queries import ladder, prizes, standings_view
from league.results.queries.prizes import PrizeLine
from league.results.queries.standings_view import DivisionStandings, StandingsRow
from league.standings import round_names
from league.web.local_time import Moment

Cell: TypeAlias = str | int | Fraction | date | time | None
Line: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table as every kind of file holds it; numbers and days are still numbers and days."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Line, ...]


KINDS = ("standings", "fixtures", "results", "pairings", "names", "prizes")
#: Of how many places of each division the list of prizes is.
PRIZES = 3


def has(competition: Competition, kind: str) -> bool:
    """Whether the competition has such a table: a format with pages of its own has no standings of ours."""
    stage = competition.stage
    if kind in {"pairings", "names"}:
        return stage.is_by_round and competition.state != Competition.State.DRAFT
    return kind in KINDS and (
        kind not in {"standings", "prizes"} or stage.format not in extension.layer().pages
    )


def of_competition(kind: str, competition: Competition, reader: Reader, *, at: datetime) -> ExportTable:
    """One of the KINDS: the divisions' tables; all matches in their order; those that are decided; where rounds
    are drawn one by one the last one by tables, or by the names of its players; and the first places of today."""
    table = _whole(kind, competition, reader, at)
    if not competition.is_of_individuals:
        return table
    # Who plays alone is named once.
    named, titles = competition.entry_title, table.columns
    kept = [n for n, title in enumerate(titles) if n == 0 or (titles[n - 1], title) != (named, _("Players"))]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return ExportTable(table.title, tuple(titles[place] for place in kept), rows)


def _whole(kind: str, competition: Competition, reader: Reader, at: datetime) -> ExportTable:
    if kind in {"pairings", "names"}:
        drawn = fixture_queries.last_drawn(competition)
        found = draws.pairings(competition, drawn) if drawn else []
        if competition.stage.has_register:
            return _seats(kind, drawn, found, is_swiss=competition.stage.is_swiss_of_players)
        return _by_table(drawn, found) if kind == "pairings" else _by_name(competition, drawn, found)
    if kind == "standings":
        return _standings(competition, reader, at)
    if kind == "prizes":
        return _prizes(competition, reader, at)
    seen = Fixture.objects.visible_to(reader)
    if kind == "results":
        return _matches(competition, _("Results"), seen.decided())
    return _matches(competition, _("Fixtures"), seen)


def players(club: Club, reader: Reader) -> ExportTable:
    """The club's players; what is private only of those whose address and number this reader may see."""
    found = list(club.players.present().order_by("name", "pk"))
    private = {each.pk for each in found if policies.may(reader, "player.see_private", each)}
    return ExportTable(
        title=_("Players"),
        columns=(_("Name"), _("Membership number"), _("E-mail address"), _("Account")),
        rows=tuple(
            (
                each.name,
                each.number if each.pk in private else "",
                each.email if each.pk in private else "",
                _("yes") if each.user_id else _("no"),
            )
            for each in found
        ),
    )


def _standings(competition: Competition, reader: Reader, at: datetime) -> ExportTable:
    """The tables of all divisions, one below the other, with the figures of their page."""
    if competition.stage.is_ladder:
        return _ladder(competition, reader, at)
    divisions = standings_view.of_competition(competition, reader, at=at)
    is_for_two = competition.is_for_two
    figures = (_("Won"), _("Drawn"), _("Lost")) if is_for_two else (_("First places"),)
    scored = (_("Points for"), _("Points against"), _("Difference")) if is_for_two else (_("Points for"),)
    return ExportTable(
        title=_("Standings"),
        columns=(
            _("Division"), _("Place"), competition.entry_title, _("Players"), _("Played"), *figures, *scored,
            _("League points"), _("Matches left"), _("Notes"),
        ),
        rows=tuple(row for division in divisions for row in _ranked(division, is_for_two)),
    )  # fmt: skip


def _prizes(competition: Competition, reader: Reader, at: datetime) -> ExportTable:
    """Who wins which prize; where none is named, who stands first in every division, with room for what they win.

    Nobody does before the first result (F151).
    """
    if named := prizes.lines(competition, at=at):
        return _named_prizes(competition, named)
    return ExportTable(
        title=_("Prizes"),
        columns=(_("Division"), _("Place"), competition.entry_title, _("Players"), _("Prize")),
        rows=tuple(
            (division.name, row.place, *_names(row.pair), "")
            for division in standings_view.of_competition(competition, reader, at=at)
            for row in division.rows
            if (place := row.place.rstrip("=")).isdecimal() and int(place) <= PRIZES
        ),
    )


def _named_prizes(competition: Competition, named: Iterable[PrizeLine]) -> ExportTable:
    """The prizes in order of worth, each with who wins it: a line for each of those who share it."""
    return ExportTable(
        title=_("Prizes"),
        columns=(
            _("Prize"), _("Condition"), _("Division"), _("Place"), competition.entry_title, _("Players"), _("Notes"),
        ),
        rows=tuple(
            (each.prize, each.condition, *winner, each.note)
            for each in named
            for winner in [(won.division, won.place, won.name, won.players) for won in each.winners]
            or [("", "", "", "")]
        ),
    )  # fmt: skip


def _ladder(competition: Competition, reader: Reader, at: datetime) -> ExportTable:
    """The order of every ladder, with what moved lately and the open challenges."""
    return ExportTable(
        title=_("Ladder"),
        columns=(
            _("Division"), _("Place"), competition.entry_title, _("Players"), _("Places up in four weeks"), _("Notes"),
        ),
        rows=tuple(
            (
                division.name,
                row.place,
                *_names(row.pair),
                row.moved,
                "; ".join(filter(None, (_("away") if row.is_away else "", row.note))),
            )
            for division in ladder.of_competition(competition, reader, at=at)
            for row in division.rows
        ),
    )  # fmt: skip


def _ranked(division: DivisionStandings, is_for_two: bool) -> Iterable[Line]:
    for row in (*division.rows, *division.withdrawn):
        yield _standing(division, row, is_for_two)
    unknown = (None,) * (9 if is_for_two else 5)
    for pair in division.waiting:
        yield (division.name, None, *_names(pair), *unknown, "")


def _standing(division: DivisionStandings, row: StandingsRow, is_for_two: bool) -> Line:
    place = row.place.rstrip("=")
    figures = (row.won, row.drawn, row.lost) if is_for_two else (row.won,)
    scored = (row.score_for, row.score_against, row.difference) if is_for_two else (row.score_for,)
    notes = (*(mark.text for mark in row.marks), row.note)
    return (
        division.name,
        int(place) if place.isdecimal() else None,
        *_names(row.pair),
        row.played,
        *figures,
        *scored,
        row.league_points,
        row.to_play,
        "; ".join(note for note in notes if note),
    )


def _by_table(drawn: Round | None, found: list[Pairing]) -> ExportTable:
    """The tables of a round in order, then who sits out."""
    played = _round(drawn)
    return ExportTable(
        title=_("Pairings by table"),
        columns=(
            _("Division"), pgettext("of a competition", "Round"), _("Table"), _("Home"), _("Home players"),
            _("Home points"), _("Away"), _("Away players"), _("Away points"), _("Notes"),
        ),
        rows=tuple(
            (
                each.division.name,
                played,
                each.table.number if each.table else None,
                *(cell for side in (0, 1) for cell in _seated(each, side)),
                "" if each.table else _("no match in this round"),
            )
            for each in found
        ),
    )  # fmt: skip


def _round(drawn: Round | None) -> Cell:
    """The number of the round, to be sorted by; in a knock-out its name."""
    if drawn is not None and drawn.stage.is_bracket:
        return str(round_names.of_round(drawn))
    return drawn.number if drawn else None


def _seated(pairing: Pairing, side: int) -> Line:
    if side >= len(pairing.entries):
        return "", "", None
    scores = pairing.table.scores if pairing.table else ()
    return *_names(pair_of(pairing.entries[side])), exact.parse(scores[side]) if scores else None


def _by_name(competition: Competition, drawn: Round | None, found: list[Pairing]) -> ExportTable:
    """Everybody who plays by name: at which table, at home or away, and against whom."""
    played = _round(drawn)
    lines = [
        (
            player.name,
            str(entry),
            each.division.name,
            played,
            each.table.number if each.table else None,
            "" if each.table is None else _("home") if entry == each.entries[0] else _("away"),
            ", ".join(str(other) for other in each.entries if other != entry) or _("no match in this round"),
        )
        for each in found
        for entry in each.entries
        for player in entry.lineup.players
    ]
    return ExportTable(
        title=_("Pairings by name"),
        columns=(
            _("Player"), competition.entry_title, _("Division"), pgettext("of a competition", "Round"), _("Table"),
            _("Home or away"), _("Opponents"),
        ),
        rows=tuple(sorted(lines, key=lambda line: (str(line[0]).casefold(), str(line[1])))),
    )  # fmt: skip


def _seats(kind: str, drawn: Round | None, found: list[Pairing], *, is_swiss: bool) -> ExportTable:
    """Who sits where in a round of tables: each player in a line, by table or by name."""
    lines = [
        (
            each.division.name,
            drawn.number if drawn else None,
            each.table.number if each.table else None,
            place if each.table else None,
            str(entry),
            *_others_at_table(each, entry, is_swiss=is_swiss),
        )
        for each in found
        for place, entry in enumerate(each.entries, start=1)
    ]
    by_name = kind == "names"
    against = (_("Against"),) if is_swiss else ()
    return ExportTable(
        title=_("Seating list by name") if by_name else _("Seating list by table"),
        columns=(
            _("Division"), pgettext("of a competition", "Round"), _("Table"), _("Seat"), _("Player"), _("With"),
            *against,
        ),
        rows=tuple(sorted(lines, key=lambda line: str(line[4]).casefold()) if by_name else lines),
    )  # fmt: skip


def _others_at_table(pairing: Pairing, entry: Entry, *, is_swiss: bool) -> tuple[str, ...]:
    """Who else sits there; in a Swiss of players the partner, and in a cell of their own the opponents."""
    if isinstance(pairing.table, swiss_of_players.Table):
        return str(pairing.table.partner_of(entry)), ", ".join(map(str, pairing.table.opponents_of(entry)))
    others = ", ".join(str(other) for other in pairing.entries if other != entry)
    found = others or _("no match in this round")
    return (found, "") if is_swiss else (found,)


def _names(pair: Pair) -> tuple[str, str]:
    return pair.name, pair.players


def _matches(competition: Competition, title: str, found: FixtureQuerySet) -> ExportTable:
    chosen = found.filter(round__stage__competition=competition).with_pairs().in_order()
    listed = fixture_queries.lines(chosen)
    is_for_two = competition.is_for_two
    sides = 2 if is_for_two else max((len(line.sides) for line in listed), default=2)
    return ExportTable(
        title=title,
        columns=(
            _("Division"), pgettext("of a competition", "Round"), _("Day"), _("Time"), _("Time zone"), _("Deadline"),
            pgettext("where it is played", "Place"), _("Table"),
            *_side_titles(sides, is_for_two), _("Status"), _("Notes"),
        ),
        rows=tuple(_match(line, sides, is_for_two, by_name=competition.stage.is_bracket) for line in listed),
    )  # fmt: skip


def _side_titles(sides: int, is_for_two: bool) -> Sequence[str]:
    """Of each side its name and its points, and where more than two can meet its place."""
    if is_for_two:
        return _("Home"), _("Home points"), _("Away"), _("Away points")
    titles = (_("Side %(number)d"), _("Points of side %(number)d"), _("Place of side %(number)d"))
    return [title % {"number": number} for number in range(1, sides + 1) for title in titles]


def _match(line: FixtureLine, sides: int, is_for_two: bool, *, by_name: bool) -> Line:
    cells: list[Cell] = []
    for place, pair in enumerate(line.sides):
        cells += [pair.name, line.scores[place] if line.scores and line.is_decided else None]
        cells += [] if is_for_two else [line.ranks[place] if line.ranks else None]
    width = sides * (2 if is_for_two else 3)
    return (
        line.division,
        line.round_name if by_name else line.round_number,
        *_when(line.starts),
        line.closes.local.date() if line.closes else None,
        line.place,
        line.table,
        *cells,
        *(None,) * (width - len(cells)),
        str(Fixture.Status(line.status).label),
        line.detail if line.is_decided else line.note,
    )


def _when(moment: Moment | None) -> Line:
    if moment is None:
        return None, None, ""
    return moment.local.date(), moment.local.time().replace(second=0, microsecond=0), moment.zone
