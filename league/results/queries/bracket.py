"""The bracket of a knock-out as a page shows it: round by round, each match with its two sides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from league import policies
from league.actors import Reader
from league.fixtures.queries import FixtureLine, Pair, lines, own_entries, pair_of
from league.models import Competition, Division, Entry, Round
from league.standings import brackets
from league.standings.brackets import Bracket, How, Tie
from league.web.local_time import Moment


@dataclass(frozen=True, slots=True)
class SideLine:
    """One side of a tie: a pair with its seed, or in `words` what stands there instead."""

    pair: Pair | None = None
    seed: int | None = None
    score: int | None = None
    words: str = ""
    goes_on: bool = False
    is_out: bool = False
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class TieLine:
    """One match of the bracket. `match` is its key where there is one; a level or void one `needs_decision`."""

    number: int
    sides: tuple[SideLine, SideLine]
    match: int | None
    when: Moment | str
    note: str
    needs_decision: bool
    may_decide: bool


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round with its name and first day."""

    number: int
    name: str
    starts_on: date | None
    is_current: bool
    may_undo: bool
    """Whether the reader may take the draw back, as long as none of its matches has begun."""
    ties: tuple[TieLine, ...]


@dataclass(frozen=True, slots=True)
class DivisionBracket:
    """The bracket of a division; without rounds before it is drawn."""

    key: int
    name: str
    rounds: tuple[BracketRound, ...]
    champion: Pair | None


def of_competition(competition: Competition, user: Reader) -> tuple[DivisionBracket, ...]:
    """The bracket of every division; the queries do not depend on the number of matches."""
    return _shown(competition, competition.stage.divisions.order_by("level"), user)


def of_division(division: Division, user: Reader) -> tuple[DivisionBracket, ...]:
    """The bracket of one division alone."""
    return _shown(division.competition, [division], user)


def _shown(
    competition: Competition, divisions: Iterable[Division], user: Reader
) -> tuple[DivisionBracket, ...]:
    mine = own_entries(user, competition)
    days = {each.number: each for each in competition.stage.rounds.all()}
    may_decide = policies.may(user, "competition.draw", competition)
    return tuple(_division(division, days, mine, may_decide=may_decide) for division in divisions)


def _division(
    division: Division, days: Mapping[int, Round], mine: frozenset[int], *, may_decide: bool
) -> DivisionBracket:
    bracket = brackets.of_division(division)
    found = [tie.fixture for ties in bracket.rounds for tie in ties if tie.fixture is not None]
    shown = {line.key: line for line in lines(found, mine=mine)}
    rounds = tuple(
        BracketRound(
            number,
            brackets.name_of_round(number, len(bracket.rounds)),
            days[number].starts_on if number in days else None,
            is_current=number == bracket.drawn and not bracket.is_over,
            may_undo=may_decide
            and number == bracket.drawn > 1
            and not any(tie.fixture and tie.is_decided for tie in ties),
            ties=tuple(_tie(tie, bracket, shown, mine, may_decide=may_decide) for tie in ties),
        )
        for number, ties in enumerate(bracket.rounds, start=1)
    )
    champion = pair_of(bracket.champion) if bracket.champion else None
    return DivisionBracket(division.pk, division.name, rounds, champion)


def _tie(
    tie: Tie, bracket: Bracket, shown: Mapping[int, FixtureLine], mine: frozenset[int], *, may_decide: bool
) -> TieLine:
    line = shown[tie.fixture.pk] if tie.fixture else None
    top, bottom = (
        _side(tie, entry, place, bracket, line, mine) for place, entry in enumerate((tie.top, tie.bottom))
    )
    needs = tie.how in {How.LEVEL, How.VOID}
    return TieLine(
        tie.number,
        (top, bottom),
        line.key if line else None,
        line.when if line else "",
        _note(tie),
        needs,
        may_decide and line is not None and (needs or line.is_decided),
    )


def _side(  # noqa: PLR0917 - called in one place
    tie: Tie,
    entry: Entry | None,
    place: int,
    bracket: Bracket,
    line: FixtureLine | None,
    mine: frozenset[int],
) -> SideLine:
    if entry is None:
        return SideLine(words=_instead(tie, place, bracket))
    at = [each.entry for each in line.sides] if line else []
    score = line.scores[at.index(entry.pk)] if line and line.scores else None
    goes_on = tie.is_decided and tie.winner == entry
    return SideLine(
        pair_of(entry),
        bracket.seeds.get(entry.pk),
        score,
        goes_on=goes_on,
        is_out=tie.is_decided and not goes_on,
        is_mine=entry.pk in mine,
    )


def _instead(tie: Tie, place: int, bracket: Bracket) -> str:
    """What stands where nobody is yet, or will be."""
    if tie.round == 1:
        return _("bye")
    before = bracket.rounds[tie.round - 2][2 * (tie.number - 1) + place]
    if before.is_decided:
        return _("nobody")
    return _("winner of match %(number)d") % {"number": before.number}


def _note(tie: Tie) -> str:
    """What decided it, where the scores do not say it; or what still has to."""
    match tie.how:
        case How.EXTRA:
            sets = ", ".join(f"{home}–{away}" for home, away in tie.decision.extra) if tie.decision else ""
            return _("level; extra boards %(sets)s") % {"sets": sets}
        case How.LEVEL:
            sets = ", ".join(f"{home}–{away}" for home, away in tie.decision.extra) if tie.decision else ""
            return _("level after extra boards %(sets)s") % {"sets": sets} if sets else _("level")
        case How.WALKOVER:
            return _("walkover") if tie.winner else _("both lose")
        case How.LEFT:
            return _("the others withdrew")
        case How.RULED:
            return _("the director’s decision")
        case How.VOID:
            return _("void")
    return ""
