"""What the columns of a file mean, checked as when they are typed: options, points, boards, movements, scores."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.contest import exact, knockout
from games.boards.services.versions import VERSION as BOARD_VERSION
from games.club_files.kinds import Model
from games.comparisons.services import awards
from games.models import (
    AdjustedScore,
    Board,
    BoardSet,
    ConventionCard,
    Duplicate,
    Evening,
    FixtureBoard,
    Match,
    MatchSeat,
    OnlinePlay,
    Ruling,
    Scoresheet,
    SectionMovement,
)
from games.options import has_boards
from league import extension, formats, validation
from league.competitions.services import competitions, prizes
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import MOST as MOST_DIVISIONS
from league.competitions.services.divisions import plans_of
from league.draws.services.ties import MOST_EXTRA_SETS
from league.entries.services.adjustments import MOST as MOST_POINTS
from league.errors import Invalid
from league.models import (
    Adjustment,
    Appearance,
    Competition,
    Division,
    Entry,
    Fixture,
    Lineup,
    LineupMember,
    Player,
    Round,
    RoundDraw,
    SeasonEnd,
    Stage,
    TieDecision,
)
from league.web import slugs
from league.words.names import are_alike, looks_like

Rows = Mapping[Model, Mapping[int, models.Model]]
LEFT_OUT_IN_WORDS = {
    "sealed_sheets": gettext_lazy("scoresheets of matches whose boards are still sealed"),
    "sealed_boards": gettext_lazy(
        "boards whose cards are still sealed: only number, dealer and commitment are in the file"
    ),
    "table_logs": gettext_lazy("deals played online, card by card (their scoresheets are in the file)"),
    "photos": gettext_lazy("photos of scoresheets"),
}
COMMITMENT = re.compile(r"[0-9a-f]{64}")
#: A figure of what a draw bends: sums of squares and shares are larger than what people type.
_COST = re.compile(r"-?[0-9]{1,12}(?:/[1-9][0-9]{0,11})?")
MOST_FIGURES, MOST_TOTALS, MOST_NUMBER = 12, 20, 999
MOST_FIGURE = 1_000_000
State, Status = Competition.State, Fixture.Status


def _wrong() -> Invalid:
    return Invalid(_("This row doesn’t make sense."))


def _competition(row: Competition) -> None:
    extension.game(row.game)
    if row.slug in slugs.RESERVED:
        raise _wrong()
    for name in ("rules", "points"):
        if not isinstance(getattr(row, name), dict):
            raise _wrong()
    for name in ("tie_breaks", "weekdays", "days_off"):
        if not isinstance(getattr(row, name), list) or len(getattr(row, name)) > 100:
            raise _wrong()


def _stage(row: Stage) -> None:
    formats.FORMATS[row.format]
    try:
        name = row.format_name
    except StopIteration:
        raise _wrong() from None
    terms = {formats.ROUNDS: formats.MOST_ROUNDS, **formats.ROUND_TERMS.get(row.format, {})}
    if row.format == formats.LADDER:
        terms |= {term: most for term, (_usual, most) in formats.TERMS.items()}
    if not set(row.options) <= {*formats.FORMATS[row.format].ways[name].options, *terms}:
        raise _wrong()
    for term, most in terms.items():
        value = row.options.get(term, 0)
        if type(value) not in {int, type(most)} or not 0 <= value <= most:
            raise _wrong()
    if row.legs not in knockout.LEGS:
        raise _wrong()
    if row.order != 1 or row.state != row.competition.state:
        raise _wrong()


def _numbered(*names: str) -> Callable[[Any], None]:
    """Numbers that are counted from 1, and by hand."""

    def look(row: Any) -> None:
        if not all(1 <= getattr(row, name) <= MOST_NUMBER for name in names):
            raise _wrong()

    return look


def _adjustment(row: Adjustment) -> None:
    figure = exact.parse(row.points)
    if figure is None or not 0 < abs(figure) <= MOST_POINTS:
        raise _wrong()
    row.points = str(figure)


def _figures(value: Any, most: int) -> None:
    if not isinstance(value, list) or len(value) > most:
        raise _wrong()
    if not all(type(each) is int and abs(each) < 10**12 for each in value):
        raise _wrong()


def _round_draw(row: RoundDraw) -> None:
    """What the tables of a round bend: numbers, and of a Swiss exact figures as text among them."""
    for value in (row.cost, row.least):
        if not isinstance(value, list) or len(value) > MOST_FIGURES:
            raise _wrong()
        if not all(type(each) in {int, str} and _COST.fullmatch(str(each)) for each in value):
            raise _wrong()


def _entry(row: Entry) -> None:
    """The pairs in the rooms of a team, and those of players for a round, have no number of their own."""
    _numbered(*(["first_round"] if row.team else ["number", "first_round"]))(row)
    if row.team and row.number:
        raise _wrong()


def _tie_decision(row: TieDecision) -> None:
    if not isinstance(row.extra, list) or len(row.extra) > MOST_EXTRA_SETS:
        raise _wrong()
    for points in row.extra:
        _figures(points, 2)
        if len(points) != 2:
            raise _wrong()


def _season_end(row: SeasonEnd) -> None:
    _figures(row.sizes, MOST_DIVISIONS)
    if not all(1 <= size <= MOST_NUMBER for size in row.sizes):
        raise _wrong()


def _appearance(row: Appearance) -> None:
    if row.order < 1 or (row.rank is not None and not 1 <= row.rank <= MOST_NUMBER):
        raise _wrong()


def _delayed(value: Any) -> DelayedInformation | None:
    if value == {}:
        return None
    day = value["on"]
    return DelayedInformation(
        DelayedKind(value["kind"]), value["source"], date.fromisoformat(day) if day else None, value["value"]
    )


def _board_set(row: BoardSet) -> None:
    delayed = _delayed(row.delayed)
    row.delayed = delayed.as_json() if delayed else {}
    if (
        not COMMITMENT.fullmatch(row.commitment)
        or row.reserve > MOST_NUMBER
        or not 1 <= row.first_number <= MOST_NUMBER
    ):
        raise _wrong()
    if bool(row.opened) != (row.released_at is not None):
        raise _wrong()


def _game_of(row: Any) -> game.Game:
    """The game of the competition that the row belongs to."""
    for name in ("competition", "stage", "round", "board_set", "fixture", "match", "sheet", "deal"):
        owner = getattr(row, name, None)
        if isinstance(owner, Competition):
            return game.get(owner.game)
        if isinstance(owner, models.Model):
            return _game_of(owner)
    raise ValueError


def _seat_in(row: Any, seat: str) -> None:
    offered = _game_of(row)
    if seat not in offered.seats(offered.players.stop - 1):
        raise _wrong()


def _board(row: Board) -> None:
    _numbered("place", "number")(row)
    _seat_in(row, row.dealer)
    if (bool(row.deal) or row.released_at is not None) and row.board_set.released_at is None:
        raise _wrong()
    if row.deal and _game_of(row).read_deal(row.deal) != row.deal:
        raise _wrong()


def _match(row: Match) -> None:
    if row.game != row.fixture.round.stage.competition.game:
        raise _wrong()
    if not isinstance(row.options, dict):
        raise _wrong()
    row.options = extension.game(row.game).read_options(row.options)
    _seat_in(row, row.first_dealer)


def _match_seat(row: MatchSeat) -> None:
    _seat_in(row, row.seat)


def _fixture_board(row: FixtureBoard) -> None:
    _numbered("position")(row)
    if not BOARD_VERSION.fullmatch(row.version) or row.board.board_set.released_at is None:
        raise _wrong()


def _scoresheet(row: Scoresheet) -> None:
    _numbered("version")(row)
    _figures(row.totals, MOST_TOTALS)


def _award(row: AdjustedScore) -> None:
    row.content = awards.read(row.content)


def _movement(row: SectionMovement) -> None:
    row.choice.movement()
    _numbered("first_table", "rounds")(row)


def _duplicate(row: Duplicate) -> None:
    if not has_boards(extension.game(row.competition.game)):
        raise _wrong()
    if row.delayed != {}:
        kind, source = row.delayed["kind"], row.delayed["source"]
        if len(row.delayed) != 2 or not isinstance(source, str) or not 0 < len(source) <= 200:
            raise _wrong()
        DelayedKind(kind)


def _online(row: OnlinePlay) -> None:
    if row.robot and row.robot not in {robot.key for robot in game.get(row.competition.game).robots}:
        raise _wrong()


def _ruling(row: Ruling) -> None:
    Status(row.status)


def _card(row: ConventionCard) -> None:
    extension.game(row.game)
    usual = game.get(row.game).signals
    if usual is None or row.number < 1:
        raise _wrong()
    row.content = dict(usual.of_card(row.content).as_card())


#: By kind; each raises an error for what is wrong, and may put a column into its usual form.
CHECKS: Mapping[str, Callable[[Any], None]] = {
    "league.lineupmember": _numbered("order"),
    "league.competition": _competition,
    "league.stage": _stage,
    "league.division": _numbered("level"),
    "league.round": _numbered("number"),
    "league.entry": _entry,
    "league.adjustment": _adjustment,
    "league.rounddraw": _round_draw,
    "league.tiedecision": _tie_decision,
    "league.seasonend": _season_end,
    "league.playoff": _numbered("upper"),
    "league.appearance": _appearance,
    "games.onlineplay": _online,
    "games.duplicate": _duplicate,
    "games.sectionmovement": _movement,
    "games.boardset": _board_set,
    "games.board": _board,
    "games.ruling": _ruling,
    "games.match": _match,
    "games.matchseat": _match_seat,
    "games.fixtureboard": _fixture_board,
    "games.scoresheet": _scoresheet,
    "games.playeddeal": _numbered("number"),
    "games.robothand": _numbered("number"),
    "games.award": _award,
    "games.conventioncard": _card,
}


def faults_of_whole(rows: Rows) -> Iterator[str]:
    """What only the rows together show. Says what is wrong, and of which competition or player."""
    yield from _people(rows)
    parts = _by(rows, Stage, "competition")
    divisions, rounds = _by(rows, Division, "stage"), _by(rows, Round, "stage")
    for competition in _all(rows, Competition):
        stages = parts[competition]
        if len(stages) != 1:
            yield _("%(name)s is not complete.") % {"name": competition.name}
            continue
        stage = stages[0]
        competition.stage = stage
        levels = sorted(divisions[stage], key=lambda each: each.level)
        if [each.level for each in levels] != list(range(1, len(levels) + 1)):
            yield _("%(name)s is not complete.") % {"name": competition.name}
            continue
        if len(rounds[stage]) > MOST_NUMBER:
            yield _("%(name)s has too many rounds.") % {"name": competition.name}
        yield from _as_typed(competition, levels)
    yield from _matches(rows)


def _people(rows: Rows) -> Iterator[str]:
    looks: dict[str, str] = {}
    for player in _all(rows, Player):
        look = looks_like(player.name)
        other = looks.setdefault(look, player.name)
        if are_alike(other, player.name):
            yield f"{player.name}: {validation.alike(other)}"
    members = _by(rows, LineupMember, "lineup")
    seen: Counter[tuple[int, ...]] = Counter()
    for lineup in _all(rows, Lineup):
        players = [member.player for member in members[lineup]]
        seen[tuple(sorted(player.pk for player in players))] += 1
        if not players:
            yield _("There is a pair without players.")
    if any(many > 1 for many in seen.values()):
        yield _("There is a pair twice.")
    for entry in _all(rows, Entry):
        sizes = entry.competition.lineup_sizes if entry.team is None else range(2, 3)
        if len(members[entry.lineup]) not in sizes:
            yield _("%(name)s: a pair has more or fewer players than its game.") % {
                "name": entry.competition.name
            }
            return


def _as_typed(competition: Competition, levels: Sequence[Division]) -> Iterator[str]:
    """The competition as a director would have set it up."""
    stage = competition.stage
    try:
        data = Setup(
            name=competition.name,
            starts_on=competition.starts_on,
            divisions=plans_of(levels),
            game=competition.game,
            format=stage.format_name,
            visibility=competition.visibility,
            rules=competition.rules,
            points=competition.points,
            tie_breaks=tuple(competition.tie_breaks),
            planned_rounds=stage.options.get(formats.ROUNDS, 0),
            terms=competition.terms,
            ladder=competition.ladder,
            days_between_rounds=competition.days_between_rounds,
            weekdays=tuple(competition.weekdays),
            due_days=competition.due_days,
            play_time=competition.play_time,
            place=competition.place,
            correction_hours=competition.correction_hours,
            typed_sheets=competition.typed_sheets,
            silence_days=competition.silence_days,
            team_method=competition.team_method,
            imp_scale=competition.imp_scale,
        )
        off = tuple(
            (date.fromisoformat(first), date.fromisoformat(last)) for first, last in competition.days_off
        )
        built = competitions.build(competition.club, replace(data, days_off=off))
        # A division may have gone since its prize was named.
        listed = prizes.check(competition, prizes.read(competition.prizes), range(1, MOST_DIVISIONS + 1))
        competition.prizes = prizes.kept(listed)
    except Invalid as refusal:
        yield f"{competition.name}: {refusal.message}"
        return
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        yield _("%(name)s: its rules don’t make sense.") % {"name": competition.name}
        return
    competition.rules, competition.points = built.rules, built.points
    competition.weekdays, competition.days_off = built.weekdays, built.days_off


def _matches(rows: Rows) -> Iterator[str]:
    """A result has its sheet, unless boards of its competition are sealed; an evening has what it needs."""
    closed = {each.competition for each in _all(rows, BoardSet) if each.released_at is None}
    confirmed = {
        sheet.match.fixture
        for sheet in _all(rows, Scoresheet)
        if sheet.verdict == Scoresheet.Verdict.CONFIRMED
    }
    for fixture in _all(rows, Fixture):
        competition = fixture.round.stage.competition
        if competition.is_of_teams and fixture.team_match is None:
            continue  # Its rooms have the sheets.
        if fixture.status == Status.CONFIRMED and fixture not in confirmed and competition not in closed:
            yield _("%(name)s: a match has a result without a scoresheet.") % {"name": competition.name}
            return
    if not all(_is_made(side.made) for side in _all(rows, Appearance)):
        yield _("A result of two teams doesn’t make sense.")
    evenings = {each.competition for each in _all(rows, Evening)}
    duplicates = {each.competition for each in _all(rows, Duplicate)}
    for stage in _all(rows, Stage):
        is_evening = stage.format == formats.EVENING
        if is_evening and not {stage.competition} <= evenings & duplicates:
            yield _("%(name)s is not complete.") % {"name": stage.competition.name}


def _is_made(made: object) -> bool:
    """Whether a side's figures of a team match can be read: none, or exact points with IMPs and net."""
    if made is None:
        return True
    if not isinstance(made, dict) or set(made) != {"points", "imps", "net"}:
        return False
    whole = all(type(made[name]) is int and abs(made[name]) <= MOST_FIGURE for name in ("imps", "net"))
    points = exact.parse(made["points"])
    return whole and points is not None and abs(points) <= MOST_FIGURE


def _all(rows: Rows, model: Model) -> Iterable[Any]:
    return rows[model].values() if model in rows else ()


def _by(rows: Rows, model: Model, name: str) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in _all(rows, model):
        found[getattr(row, name)].append(row)
    return found


def counts_of(rows: Rows) -> dict[str, int]:
    """How much of everything there is, for a preview."""
    played = [each for each in _all(rows, Fixture) if each.status in {Status.CONFIRMED, Status.WALKOVER}]
    return {
        "players": len(rows.get(Player, ())),
        "pairs": len(rows.get(Lineup, ())),
        "matches": len(rows.get(Fixture, ())),
        "results": len(played),
        "sheets": len(rows.get(Scoresheet, ())),
        "boards": len(rows.get(Board, ())),
    }
