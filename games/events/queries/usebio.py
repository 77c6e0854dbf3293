"""An evening as USEBIO XML, the form in which bridge programs hand on results: released boards, as everybody sees them.

Version 1.2, of which 1.3 takes every file. It has no words for other games than bridge: contract, declarer, lead and
tricks are left out, and the score is what is compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from xml.etree import ElementTree as Xml

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from engine.contest import exact
from games.comparisons.reckoning import figures, plays, rankings
from games.comparisons.reckoning.columns import AWAY, HOME
from games.comparisons.reckoning.figures import BoardFigures, ShownFigure
from games.comparisons.reckoning.plays import Play
from games.comparisons.reckoning.rankings import RankingRow
from games.events.queries import travellers
from games.models import Board, Duplicate
from league.models import Competition, Division, Entry

VERSION = "1.2"
METHODS = {
    Duplicate.Way.MATCHPOINTS: ("MATCH_POINTS", "MATCH_POINTS"),
    Duplicate.Way.CROSS_IMPS: ("CROSS_IMPS", "CROSS_IMP_POINTS"),
    Duplicate.Way.BUTLER: ("BUTLER_IMPS", "CROSS_IMP_POINTS"),
}


@dataclass(frozen=True, slots=True)
class _Known:
    """What is ranked (by entry, with the way in which), and the released boards' figures and plays."""

    rows: Mapping[int, tuple[str, RankingRow]]
    duplicate: Duplicate
    boards: Mapping[int, BoardFigures]
    played: Sequence[Play]


def file_of(competition: Competition) -> bytes:
    """The file; of boards that are not released there is nothing in it, not even their number."""
    root = Xml.Element("USEBIO", Version=VERSION)
    _add(Xml.SubElement(root, "CLUB"), CLUB_NAME=competition.club.name)
    event = Xml.SubElement(root, "EVENT", EVENT_TYPE="PAIRS")
    ranked = rankings.of_event(competition)
    # Two rankings, one of each side, are two winners.
    has_two = bool(ranked) and all(each.way in (HOME, AWAY) for each in ranked)
    divisions = list(competition.stage.divisions.order_by("level"))
    boards, played = _boards(competition)
    _add(
        event,
        PROGRAM_NAME="Concertmaster",
        EVENT_DESCRIPTION=competition.name,
        DATE=f"{competition.starts_on:%d/%m/%Y}",
        BOARD_SCORING_METHOD=METHODS[Duplicate.Way(competition.duplicate.method)][0],
        WINNER_TYPE="2" if has_two else "1",
        SESSION_COUNT="1",
        SECTION_COUNT=str(len(divisions)),
        BOARDS_PLAYED=str(len(boards)),
    )
    session = Xml.SubElement(event, "SESSION", SESSION_ID="1")
    rows = {row.pair.entry: (each.way, row) for each in reversed(ranked) for row in each.rows}
    known = _Known(rows, competition.duplicate, boards, played)
    for division in divisions:
        _section(session, division, known)
    Xml.indent(root)
    return bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True))


def _boards(competition: Competition) -> tuple[Mapping[int, BoardFigures], Sequence[Play]]:
    """The released boards' figures, by the board's key, and who played them."""
    found = Board.objects.filter(board_set__competition=competition, plays__isnull=False).distinct()
    worth = figures.of_boards(found.select_related("board_set"))
    return worth, plays.read(Q(board__in=list(worth)), AnonymousUser(), competition)


def _section(session: Xml.Element, division: Division, known: _Known) -> None:
    section = Xml.SubElement(session, "SECTION", SECTION_ID=division.name)
    participants = Xml.SubElement(section, "PARTICIPANTS")
    entries = list(division.entries.with_pairs().order_by("number"))
    for entry in entries:
        _pair(participants, entry, *known.rows.get(entry.pk, ("", None)))
    numbers = {entry.pk: str(entry.number) for entry in entries}
    here = [play for play in known.played if {play.home.entry, play.away.entry} <= numbers.keys()]
    for number in sorted({play.number for play in here}):
        board = Xml.SubElement(section, "BOARD")
        _add(board, BOARD_NUMBER=str(number))
        for play in here:
            worth = known.boards[play.board].figures
            if play.number == number and (play.key, HOME) in worth:
                _traveller_line(board, play, numbers, known.duplicate, worth)


def _pair(participants: Xml.Element, entry: Entry, way: str, row: RankingRow | None) -> None:
    pair = Xml.SubElement(participants, "PAIR")
    _add(pair, PAIR_NUMBER=str(entry.number))
    if way in (HOME, AWAY):
        _add(pair, DIRECTION="North" if way == HOME else "East")
    if row is not None:
        _add(pair, BOARDS_PLAYED=str(row.boards), TOTAL_SCORE=_decimal(row.value))
        if row.percent is not None:
            _add(pair, PERCENTAGE=_decimal(row.percent))
        if row.rank is not None:
            _add(pair, PLACE=f"{row.rank}{'=' if row.is_shared else ''}")
    for player in entry.lineup.players:
        _add(Xml.SubElement(pair, "PLAYER"), PLAYER_NAME=player.name)


def _traveller_line(
    board: Xml.Element,
    play: Play,
    numbers: Mapping[int, str],
    duplicate: Duplicate,
    worth: Mapping[tuple[int, str], ShownFigure],
) -> None:
    line = Xml.SubElement(board, "TRAVELLER_LINE")
    first, second = worth[play.key, play.first], worth[play.key, play.second]
    _add(line, NS_PAIR_NUMBER=numbers[play.pair(play.first).entry])
    _add(line, EW_PAIR_NUMBER=numbers[play.pair(play.second).entry])
    score = travellers.measured(play, duplicate)
    if score is not None and not first.is_awarded:
        _add(line, SCORE=str(score))
    kind = METHODS[Duplicate.Way(duplicate.method)][1]
    _add(line, **{f"NS_{kind}": _decimal(first.value), f"EW_{kind}": _decimal(second.value)})


def _decimal(figure: Fraction) -> str:
    """With two places at most: the form has no fractions."""
    return exact.rounded(figure).rstrip("0").rstrip(".") if figure else "0"


def _add(parent: Xml.Element, **texts: str) -> None:
    for name, text in texts.items():
        Xml.SubElement(parent, name).text = text
