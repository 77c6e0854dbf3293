"""The match page as one value: how it stands, the sheet deal by deal, its versions, and what the visitor can do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from games import embargo, front
from games.boards.queries import shut
from games.fixture_boards import boards_of
from games.models import Board, Participation, Scoresheet
from games.records.display import robot_hands
from games.records.display.sheets import seats_of
from games.records.display.shown import ShownDeal, ShownSeat, ShownSheet
from games.records.parsing import Reading, options_of
from games.scoresheets.queries import matches as found
from games.scoresheets.queries import versions
from games.scoresheets.queries.photos import PhotoPart, photos_of
from games.scoresheets.queries.trail import TrailLine, trail_of
from games.scoresheets.queries.versions import VersionLine
from games.seating import Seating, usual_seating
from games.tables.queries.finished_deals import cards_of_match, replayable
from games.tables.state.facts import cards_in_force
from games.tables.state.snapshot import CardPlayed
from league import extension, policies
from league.actors import Visitor
from league.models import Appearance, Entry, Fixture, FixtureResult, Substitution
from league.querysets import UNPLAYED
from league.standings import brackets
from league.web.local_time import Moment

Verdict, Outcome = Scoresheet.Verdict, Appearance.Outcome


@dataclass(frozen=True, slots=True)
class Hint:
    """Something to know before reading on."""

    tone: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Team:
    """A side of the match: who plays, on which seats, and what it made of it so far (None: nothing yet).

    `walkover` says how it came by a result without play; empty where there is none.
    """

    entry: Entry
    players: str
    seats: str
    points: int | None
    walkover: str
    card: CardPlayed | None
    """The version of its convention card that is in force, or was when the match was played."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Everything that the match page shows."""

    fixture: Fixture
    result: FixtureResult | None
    where: tuple[str, ...]
    rules: str
    teams: tuple[Team, ...]
    seats: tuple[ShownSeat, ...]
    first_dealer: ShownSeat
    substitutes: tuple[str, ...]
    steps: found.NextSteps
    helpers: str
    sheet: ShownSheet | None
    deals: tuple[tuple[ShownDeal, Any], ...]
    """Each with what its cards could have made."""
    replays: frozenset[int]
    """The numbers of those deals of the sheet that counts which can be looked at play by play."""
    shown_version: int
    judged_is_shown: bool
    versions: tuple[VersionLine, ...]
    marks: tuple[str, ...]
    hints: tuple[Hint, ...]
    trail: tuple[TrailLine, ...]
    boards: tuple[Board, ...]
    photos: PhotoPart
    is_open: bool
    state: str

    @property
    def is_watched(self) -> bool:
        """Whether the visitor waits for what others do about the match."""
        return bool(self.steps.enter or self.steps.judge or self.steps.waits or self.steps.object)

    @property
    def is_played_without_sheet(self) -> bool:
        return self.sheet is None and self.fixture.has_result

    @property
    def has_withdrawn(self) -> bool:
        """Whether one of the sides has left the competition."""
        return any(team.entry.withdrawn_at for team in self.teams)

    @property
    def tells_of_deals(self) -> bool:
        """Whether the trail does: of a director's score, for example."""
        return any(line.tells_of_deals for line in self.trail)


def match_page(*, fixture: Fixture, visitor: Visitor, version: int | None, at: datetime) -> MatchPage | None:
    """The page; None when a version is asked for that does not exist."""
    match = found.match_of(fixture)
    sheets = found.sheets_of(match)
    steps = found.next_steps(visitor=visitor, fixture=fixture, sheets=sheets, at=at)
    chosen = _chosen(sheets, version, judge=steps.judge)
    if version is not None and chosen is None:
        return None
    readings = versions.readings_of(match, sheets)
    reading = readings.get(chosen.version) if chosen else None
    competition = fixture.round.competition
    seating = reading.seating if reading else usual_seating(fixture, game.get(competition.game))
    seats = seats_of(fixture, seating)
    is_open = embargo.sees_sheets(visitor=visitor, fixture=fixture)
    sheet = _sheet(fixture, chosen, reading, sheets, is_open=is_open)
    best = _best(fixture, visitor, chosen, sheet)
    return MatchPage(
        fixture=fixture,
        result=fixture.result,
        where=_where(fixture),
        rules=rules_line(fixture),
        teams=tuple(_teams(fixture, seating, seats, sheet, _cards(fixture, chosen, seating, at))),
        seats=seats,
        first_dealer=next(seat for seat in seats if seat.key == seating.first_dealer),
        substitutes=_substitutes(fixture),
        steps=steps,
        helpers=", ".join(steps.helpers),
        sheet=sheet,
        deals=tuple((deal, best.get(deal.number)) for deal in (sheet.given_deals if sheet else ())),
        replays=_replays(sheets) if sheet and sheet.given_deals else frozenset(),
        shown_version=chosen.version if chosen else 0,
        judged_is_shown=bool(chosen and steps.judge and chosen.pk == steps.judge.pk),
        versions=versions.lines(fixture, sheets, readings, is_open=is_open),
        marks=_marks(chosen) if chosen and is_open and policies.may(visitor, "fixture.rule", fixture) else (),
        hints=(
            *_hints(sheets, chosen, steps, is_open=is_open),
            *_board_hints(fixture, visitor),
            *tie_hints(fixture),
        ),
        trail=_trail(fixture, visitor, is_open=is_open),
        boards=tuple(play.board for play in boards_of(fixture)),
        photos=photos_of(fixture=fixture, visitor=visitor, sees_deals=is_open, at=at),
        is_open=is_open,
        state=_state(fixture, sheets[0] if sheets else None),
    )


@dataclass(frozen=True, slots=True)
class MatchNews:
    """What has happened to a match; `state` names how it stands now."""

    text: str
    reason: str
    state: str


def news_since(seen: str, *, fixture: Fixture, visitor: Visitor) -> MatchNews | None:
    """What is new for somebody who saw the match in the state `seen`; None while nothing is."""
    sheets = Scoresheet.objects.filter(match=fixture.pk).select_related("entered_by", "verdict_by")
    newest = sheets.order_by("-version").first()
    state = _state(fixture, newest)
    if seen == state:
        return None
    told = {
        Verdict.PENDING: _("%(author)s entered scoresheet %(version)d."),
        Verdict.CONFIRMED: _("Scoresheet %(version)d is confirmed."),
        Verdict.REJECTED: _("%(judge)s rejected scoresheet %(version)d."),
        Verdict.REOPENED: _("%(judge)s reopened the match."),
    }.get(Verdict(newest.verdict) if newest else Verdict.REPLACED)
    if newest is None or told is None or fixture.status in {Fixture.Status.VOID, Fixture.Status.WALKOVER}:
        text = _("This match is now “%(status)s”.") % {"status": fixture.get_status_display()}
        return MatchNews(text, "", state)
    names = {"author": newest.entered_by, "judge": newest.verdict_by or _("An official")}
    is_told = newest.verdict_reason and embargo.sees_sheets(visitor=visitor, fixture=fixture)
    return MatchNews(
        told % {**names, "version": newest.version}, newest.verdict_reason if is_told else "", state
    )


def _state(fixture: Fixture, newest: Scoresheet | None) -> str:
    """Names how the match stands: another name, another page."""
    return f"{fixture.status}.{newest.version}.{newest.verdict}" if newest else fixture.status


def _teams(
    fixture: Fixture,
    seating: Seating,
    seats: tuple[ShownSeat, ...],
    sheet: ShownSheet | None,
    cards: Mapping[str, CardPlayed],
) -> Iterator[Team]:
    for (place, name), side in zip(seating.names.items(), fixture.sides, strict=True):
        players = " & ".join(seat.player for seat in seats if seat.pair == name)
        seated = sheet.sides[name] if sheet else ""
        yield Team(
            entry=side.entry,
            # Who plays alone is named by the entry already, and a bare number is no place.
            players="" if players == str(side.entry) else players,
            seats=_("Seat %(number)s") % {"number": seated} if seated.isdecimal() else seated,
            points=sheet.total[name] if side.score is None and sheet else side.score,
            walkover=side.get_outcome_display() if side.outcome in {Outcome.WON, Outcome.LOST} else "",
            card=cards.get(place),
        )


def _cards(
    fixture: Fixture, sheet: Scoresheet | None, seating: Seating, at: datetime
) -> Mapping[str, CardPlayed]:
    """By side the convention card: of a sheet the one that was played, before that the one in force."""
    offered = game.get(fixture.round.competition.game)
    if offered.signals is None or not offered.signals.has_cards:
        return {}
    if sheet is not None:
        return cards_of_match(fixture, sheet, seating.entries)
    pairs = {side: entry.lineup_id for side, entry in zip(seating.entries, fixture.entries, strict=True)}
    return cards_in_force(pairs, offered.key, at=at)


def _best(
    fixture: Fixture, visitor: Visitor, row: Scoresheet | None, sheet: ShownSheet | None
) -> Mapping[int, Any]:
    """What the cards could have made, by deal, where the game tells."""
    if row is None or sheet is None:
        return {}
    own = front.of(fixture.round.competition.game)
    return own.best_play(fixture=fixture, visitor=visitor, row=row, sheet=sheet)


def _replays(sheets: tuple[Scoresheet, ...]) -> frozenset[int]:
    counting = next((sheet for sheet in sheets if sheet.verdict == Verdict.CONFIRMED), None)
    return replayable(counting) if counting else frozenset()


def _trail(fixture: Fixture, visitor: Visitor, *, is_open: bool) -> tuple[TrailLine, ...]:
    return trail_of(fixture, is_open=is_open) if policies.may(visitor, "fixture.see_audit", fixture) else ()


def _sheet(
    fixture: Fixture,
    row: Scoresheet | None,
    reading: Reading | None,
    sheets: tuple[Scoresheet, ...],
    *,
    is_open: bool,
) -> ShownSheet | None:
    if row is None or reading is None:
        return None
    if not is_open:
        return front.shown_sheet(fixture, reading).without_deals()
    # Robots play in the browser only; a correction of such a sheet keeps what they did.
    has_robots = not all(each.is_typed for each in sheets)
    return front.shown_sheet(fixture, reading, robot_hands.by_deal(row) if has_robots else {})


def best_of_deal(*, fixture: Fixture, visitor: Visitor, number: int) -> Any:
    """The analysis of one deal of the sheet that counts; None where there is none, or not for this visitor."""
    match = found.match_of(fixture)
    row = next((sheet for sheet in found.sheets_of(match) if sheet.verdict == Verdict.CONFIRMED), None)
    if match is None or row is None or not embargo.sees_sheets(visitor=visitor, fixture=fixture):
        return None
    sheet = front.shown_sheet(fixture, versions.read(match, row))
    return _best(fixture, visitor, row, sheet).get(number)


def _chosen(
    sheets: tuple[Scoresheet, ...], version: int | None, judge: Scoresheet | None
) -> Scoresheet | None:
    """The version asked for; else the one to be judged, the one that counts, or the newest."""
    if version is not None:
        return next((sheet for sheet in sheets if sheet.version == version), None)
    for verdict in (Verdict.PENDING, Verdict.CONFIRMED) if judge else (Verdict.CONFIRMED, Verdict.PENDING):
        for sheet in sheets:
            if sheet.verdict == verdict:
                return sheet
    return sheets[0] if sheets else None


def rules_line(fixture: Fixture) -> str:
    """The rules that the match is played by, in one line: numbers, and what is switched on."""
    port = extension.game(fixture.round.competition.game)
    chosen = port.read_options(options_of(fixture))
    parts = [str(port.name)]
    for option in port.options:
        if option.kind == "number":
            parts.append(f"{option.label}: {chosen[option.name]}")
        elif option.kind == "yes-no" and chosen[option.name]:
            parts.append(str(option.label))
    return " · ".join(parts)


def _where(fixture: Fixture) -> tuple[str, ...]:
    """When, where and at which table, as far as it is known."""
    competition = fixture.round.competition
    when = Moment(fixture.starts_at, competition.club.time_zone).full if fixture.starts_at else ""
    table = _("table %(table)s") % {"table": fixture.table} if fixture.table else ""
    place = fixture.place or competition.place or competition.club.place
    return tuple(part for part in (when or _("No date yet"), place, table) if part)


def _substitutes(fixture: Fixture) -> tuple[str, ...]:
    if not fixture.substitutions.all():
        return ()
    rows = Participation.objects.filter(kind=Participation.Kind.ALLOWED, fixture=fixture)
    allowed = dict(rows.values_list("player", "reason"))
    return tuple(_substitute(s, allowed.get(s.substitute_id, "")) for s in fixture.substitutions.all())


def _substitute(substitution: Substitution, allowed: str) -> str:
    """Who plays for whom; with a director's reason where the substitute may have known cards."""
    said = _("%(substitute)s for %(absent)s") % {
        "substitute": substitution.substitute,
        "absent": substitution.absent,
    }
    if substitution.is_waiting and substitution.fixture.status in UNPLAYED:
        said = _("%(said)s (not answered yet)") % {"said": said}
    if not allowed:
        return said
    return _("%(said)s, who may have known some cards of these boards. A director allowed it: %(reason)s") % {
        "said": said,
        "reason": allowed,
    }


def _marks(sheet: Scoresheet) -> tuple[str, ...]:
    return tuple(str(mark.get("message", "")) for mark in sheet.suspicious if isinstance(mark, dict))


def _hints(
    sheets: tuple[Scoresheet, ...], chosen: Scoresheet | None, steps: found.NextSteps, *, is_open: bool
) -> tuple[Hint, ...]:
    """What a reader must know of the version before its eyes: that it does not count, or that another waits."""
    if chosen is None:
        return ()
    hints = []
    title = {
        Verdict.PENDING: _("Not confirmed yet"),
        Verdict.REJECTED: _("This version was rejected"),
        Verdict.REPLACED: _("This version was replaced"),
        Verdict.REOPENED: _("This result no longer counts"),
    }.get(Verdict(chosen.verdict))
    # Those who are asked to confirm, or wait for it, are told so by their next step.
    if title and not (chosen.verdict == Verdict.PENDING and (steps.judge or steps.waits)):
        reason = chosen.verdict_reason if is_open else ""
        text = reason or _("It doesn’t count in the table.")
        hints.append(Hint("attention", title, text))
    pending = next((sheet for sheet in sheets if sheet.verdict == Verdict.PENDING), None)
    if pending is not None and pending.pk != chosen.pk and chosen.verdict == Verdict.CONFIRMED:
        text = _("Version %(version)d is waiting to be confirmed. Until then this one counts.")
        hints.append(Hint("attention", _("A correction was entered"), text % {"version": pending.version}))
    return tuple(hints)


def _board_hints(fixture: Fixture, visitor: Visitor) -> Iterator[Hint]:
    """What everybody may know of the match's sealed boards: that they wait, and that it may be played early."""
    page = shut.shut_boards(fixture=fixture, visitor=visitor)
    if page is not None and page.is_shut:
        text = _("%(why)s The boards will open later.") % {"why": shut.why_shut(fixture)}
        yield Hint("attention", _("The boards of this match stay closed"), text)
    if page is not None and page.early is not None:
        given = {"who": page.early.given_by, "reason": page.early.reason}
        text = _("%(who)s allowed it: %(reason)s") % given
        yield Hint("info", _("This match may be played before its round"), text)


def tie_hints(fixture: Fixture) -> Iterator[Hint]:
    """What a level match of a knock-out plays now (F45)."""
    if not fixture.round.stage.is_bracket or not brackets.may_be_level(fixture):
        return
    next_ = brackets.next_extra_of(fixture)
    if next_ is not None:
        text = _("%(next)s The director has them and enters the points.") if next_.reserve else "%(next)s"
        yield Hint("info", _("The match is level"), text % {"next": next_.words})


def as_context(page: MatchPage) -> dict[str, Any]:
    """The page's values by name, for the template."""
    return {
        name: getattr(page, name)
        for name in (*page.__dataclass_fields__, "is_played_without_sheet", "has_withdrawn")
    }
