"""The bracket of a knock-out as a page shows it: round by round, each match with its two sides."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from django.utils.html import conditional_escape
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league import policies
from league.actors import Reader
from league.fixtures.queries import FixtureLine, Pair, lines, own_entries, pair_of
from league.models import Competition, Division, Entry, Fixture, Round
from league.standings import brackets, round_names
from league.standings.brackets import Bracket, How, NextExtra, Tie
from league.web.local_time import Moment

TO_CONFIRM = Fixture.Status.TO_CONFIRM


@dataclass(frozen=True, slots=True)
class SideLine:
    """One side of a tie: a pair with its seed, or in `words` what stands there instead."""

    pair: Pair | None = None
    seed: int | None = None
    score: str = ""
    """Of each leg that is played: "60 45"."""
    words: str = ""
    goes_on: bool = False
    is_out: bool = False
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class TieLine:
    """One tie of the bracket with the keys of its matches; a level or void one `needs_decision`.

    `name` is only of one that needs it: the match for the third place, in the round of the final.
    """

    number: int
    sides: tuple[SideLine, SideLine]
    matches: tuple[int, ...]
    when: str
    """When it is played, safe for a page."""
    note: str
    needs_decision: bool
    may_decide: bool
    name: str = ""
    next_step: str = ""
    """What a level one plays now, in words."""


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round with its name and first day."""

    number: int
    name: str
    starts_on: date | None
    is_current: bool
    undo: int | None
    """The number of the draw that the reader may take back, as long as none of its matches has begun."""
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
    ties = [tie for ties in bracket.rounds for tie in ties]
    entries = {entry.pk: entry for tie in ties for entry in tie.entries}
    field = _Field(
        bracket=bracket,
        pairs={key: pair_of(entry) for key, entry in entries.items()},
        lines={line.key: line for line in lines([leg for tie in ties for leg in tie.legs], mine=mine)},
        extra=brackets.next_extra(ties),
        mine=mine,
        may_decide=may_decide,
        when=cache(conditional_escape),
    )
    rounds = tuple(
        BracketRound(
            number,
            str(round_names.of_bracket(number, len(bracket.rounds))),
            days[first].starts_on if (first := bracket.numbers_of(number)[0]) in days else None,
            is_current=number == bracket.drawn and not bracket.is_over,
            undo=_may_be_undone(bracket, of_round) if may_decide and number == bracket.drawn else None,
            ties=tuple(field.tie(tie) for tie in of_round),
        )
        for number, of_round in enumerate(bracket.rounds, start=1)
    )
    champion = pair_of(bracket.champion) if bracket.champion else None
    return DivisionBracket(division.pk, division.name, rounds, champion)


def _may_be_undone(bracket: Bracket, ties: Iterable[Tie]) -> int | None:
    """The number of the round drawn last, unless one of its matches is over or it is the first."""
    is_over = any(
        leg.round.number == bracket.last and (tie.is_decided or leg.has_result)
        for tie in ties
        for leg in tie.legs
    )
    return bracket.last if bracket.last > 1 and not is_over else None


@dataclass(frozen=True, slots=True)
class _Field:
    """What the ties of a bracket are shown from: pairs by entry, lines and extra boards by match."""

    bracket: Bracket
    pairs: Mapping[int, Pair]
    lines: Mapping[int, FixtureLine]
    extra: Mapping[int, NextExtra]
    mine: frozenset[int]
    may_decide: bool
    when: Callable[[Moment | str], str]
    """Writes a time as the page has it: that takes long, and hundreds of ties begin at the same."""

    def tie(self, tie: Tie) -> TieLine:
        """The tie as the page shows it."""
        legs = [self.lines[leg.pk] for leg in tie.legs]
        top, bottom = (
            self._side(tie, entry, place, legs) for place, entry in enumerate((tie.top, tie.bottom))
        )
        needs = tie.how in {How.LEVEL, How.VOID}
        open_legs = [line.when for line in legs if line.when and not line.is_decided]
        return TieLine(
            tie.number,
            (top, bottom),
            tuple(line.key for line in legs),
            self.when((open_legs or [line.when for line in legs[-1:]] or [""])[0]),
            _note(tie) or (_("to confirm") if any(line.status == TO_CONFIRM for line in legs) else ""),
            needs,
            self.may_decide and bool(legs) and (needs or any(line.is_decided for line in legs)),
            _("Match for place 3") if tie.is_third_place else "",
            self.extra[tie.fixture.pk].words if tie.fixture and tie.fixture.pk in self.extra else "",
        )

    def _side(self, tie: Tie, entry: Entry | None, place: int, legs: Iterable[FixtureLine]) -> SideLine:
        if entry is None:
            return SideLine(words=_instead(tie, place, self.bracket))
        scores = []
        for line in legs:
            at = [each.entry for each in line.sides]
            if line.scores:
                scores.append(str(line.scores[at.index(entry.pk)]))
        goes_on = tie.is_decided and tie.winner == entry
        return SideLine(
            self.pairs[entry.pk],
            self.bracket.seeds.get(entry.pk),
            " ".join(scores),
            goes_on=goes_on,
            is_out=tie.is_decided and not goes_on,
            is_mine=entry.pk in self.mine,
        )


def _instead(tie: Tie, place: int, bracket: Bracket) -> str:
    """What stands where nobody is yet, or will be."""
    if tie.round == 1:
        return _("bye")
    if tie.is_third_place:
        before = bracket.rounds[tie.round - 2][place]
        return _("loser of match %(number)d") % {"number": before.number}
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
            return (
                _("level after extra boards %(sets)s") % {"sets": sets}
                if sets
                else pgettext("match", "level")
            )
        case How.WALKOVER:
            return _("walkover") if tie.winner else _("both lose")
        case How.LEFT:
            return _("the others withdrew")
        case How.RULED:
            return _("the director’s decision")
        case How.VOID:
            return _("void")
    return ""
