"""The bracket of a knock-out as it stands: who meets, who goes on, and what decided it (rules F40 to F50)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest import knockout
from engine.contest.knockout import By
from engine.contest.knockout import Tie as LevelTie
from league import extension
from league.models import Appearance, Competition, Division, Entry, Fixture, TieDecision

#: The table of a knock-out counts the rounds that somebody has survived.
POINTS: Mapping[str, Any] = {"win": "1", "draw": "0", "loss": "0", "bye": "1"}
TIE_BREAKS = ("league_points",)


class How(StrEnum):
    """What decided a tie, or why nothing has."""

    OPEN = "open"
    PLAYED = "played"
    EXTRA = "extra"
    WALKOVER = "walkover"
    RULED = "ruled"
    BYE = "bye"
    LEFT = "left"
    """The opponents withdrew before the round was drawn."""
    EMPTY = "empty"
    """Nobody came to it."""
    LEVEL = "level"
    VOID = "void"


UNDECIDED = frozenset({How.OPEN, How.LEVEL, How.VOID})


class Outcome(NamedTuple):
    """Who goes on, by key (None: nobody, or not known yet), and how."""

    winner: int | None
    how: How

    @property
    def is_decided(self) -> bool:
        """Whether the next round can be drawn from it."""
        return self.how not in UNDECIDED


@dataclass(frozen=True, slots=True)
class Tie:
    """One place of the bracket: number 1 is the highest of its round. `legs` are its matches as far as they are drawn.

    The upper side is at home in the first leg, then home changes from leg to leg (F43).
    """

    number: int
    round: int
    """In the bracket: all legs are of one."""
    top: Entry | None
    bottom: Entry | None
    legs: tuple[Fixture, ...]
    decision: TieDecision | None
    winner: Entry | None
    how: How
    is_third_place: bool = False
    """Whether those who lost the semi-finals meet in it (F48)."""
    drawn_on: Entry | None = None
    """Whom the next round was drawn with, where the tie has no winner any more: a draw is a fact (F3)."""

    @property
    def goes_on(self) -> Entry | None:
        """Who has come to the next round from it."""
        return self.winner or self.drawn_on

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Who has come to it."""
        return tuple(each for each in (self.top, self.bottom) if each is not None)

    @property
    def fixture(self) -> Fixture | None:
        """The match that was drawn last: extra boards and a director's decision belong to it."""
        return self.legs[-1] if self.legs else None

    @property
    def is_decided(self) -> bool:
        """Whether the next round can be drawn from it."""
        return self.how not in UNDECIDED

    @property
    def losers(self) -> tuple[Entry, ...]:
        """Who is out by it: nobody, one, or both."""
        return tuple(each for each in self.entries if self.is_decided and each != self.winner)

    @property
    def left_behind(self) -> tuple[Entry, ...]:
        """Who is out by it, or whom the next round was drawn without."""
        if self.drawn_on is None:
            return self.losers
        return tuple(each for each in self.entries if each != self.drawn_on)


@dataclass(frozen=True, slots=True)
class Bracket:
    """All ties by round. `seeds` are those of the draw, by entry; `last` is the round drawn last, each leg is one."""

    division: Division
    seeds: Mapping[int, int]
    rounds: tuple[tuple[Tie, ...], ...]
    last: int
    legs: int = 1

    @property
    def size(self) -> int:
        """How many places the first round has."""
        return 2 * len(self.rounds[0]) if self.rounds else 0

    @property
    def drawn(self) -> int:
        """The last round of the bracket of which a leg is drawn; 0 before the first is."""
        return -(-self.last // self.legs)

    @property
    def champion(self) -> Entry | None:
        """Who has won the final."""
        return self.rounds[-1][0].winner if self.rounds and self.rounds[-1][0].is_decided else None

    @property
    def is_over(self) -> bool:
        """Whether the final is decided, and the match for the third place if there is one."""
        return bool(self.rounds) and all(tie.is_decided for tie in self.rounds[-1])

    @property
    def undecided(self) -> tuple[Tie, ...]:
        """The ties of the round drawn last from which no next round can be drawn yet."""
        now = self.rounds[self.drawn - 1] if self.drawn else ()
        return tuple(tie for tie in now if not tie.is_decided)

    @property
    def next_number(self) -> int:
        """The round that is to be drawn next, by its number: another leg while a tie is open, else the next ties."""
        is_leg = self.last % self.legs and any(tie.how == How.OPEN for tie in self.undecided)
        return self.last + 1 if is_leg else self.drawn * self.legs + 1

    @property
    def places(self) -> dict[int, int]:
        """F48: everybody's place by entry, once the final is decided; those who lose in one round share one."""
        if not self.is_over:
            return {}
        found = {self.champion.pk: 1} if self.champion else {}
        for ties in self.rounds:
            share = sum(not tie.is_third_place for tie in ties) + 1
            found |= {entry.pk: share for tie in ties if not tie.is_third_place for entry in tie.losers}
        for tie in self.rounds[-1]:
            if tie.is_third_place and tie.winner is not None:
                found |= {tie.winner.pk: 3, **{entry.pk: 4 for entry in tie.losers}}
        return found

    def tie_of(self, fixture: int) -> Tie | None:
        """The tie that this match is a leg of."""
        ties = (tie for ties in self.rounds for tie in ties)
        return next((tie for tie in ties if any(leg.pk == fixture for leg in tie.legs)), None)

    def went_on_without(self, entry: Entry) -> bool:
        """Whether a round was drawn without an entry that had come to it: it had withdrawn."""
        return any(
            entry in tie.losers and tie.fixture is None
            for ties in self.rounds[1 : self.drawn]
            for tie in ties
        )

    def following(self, tie: Tie) -> tuple[Tie, ...]:
        """Where its sides go on: the winner, and from a semi-final the loser too where there is a third place."""
        if tie.round >= len(self.rounds):
            return ()
        ties = self.rounds[tie.round]
        return (ties[(tie.number - 1) // 2], *(each for each in ties if each.is_third_place))

    def numbers_of(self, round_: int) -> range:
        """The numbers of the rounds that are the legs of a round of the bracket."""
        return range((round_ - 1) * self.legs + 1, round_ * self.legs + 1)


def rounds_of(division: Division) -> int:
    """How many rounds the bracket has, each of all its legs; 0 before it is drawn."""
    return rounds_of_all([division.pk]).get(division.pk, 0)


def rounds_of_all(divisions: Collection[int]) -> dict[int, int]:
    """The same of many that are drawn, by the key of the division; one query."""
    found = _sizes(entry__division__in=divisions)
    return {division: rounds for _stage, division, rounds in found}


def rounds_of_stages(stages: Collection[int]) -> dict[int, set[int]]:
    """The same of all divisions that are drawn, by the key of the stage; one query."""
    found: dict[int, set[int]] = {}
    for stage, _division, rounds in _sizes(entry__division__stage__in=stages):
        found.setdefault(stage, set()).add(rounds)
    return found


def _sizes(**of: Any) -> list[tuple[int, int, int]]:
    first = Appearance.objects.filter(round__number=1, fixture__team_match=None, **of)
    counted = first.values_list("entry__division__stage", "entry__division")
    return [
        (stage, division, knockout.Bracket(entries).rounds)
        for stage, division, entries in counted.annotate(Count("entry", distinct=True))
        if entries > 1
    ]


def of_division(division: Division) -> Bracket:
    """The bracket as it stands; without rounds before the first is drawn. Six queries."""
    entered = division.entries.select_related("lineup").prefetch_related("lineup__members")
    entries = {entry.pk: entry for entry in entered.order_by("number")}
    there: dict[int, set[int]] = {}
    for number, key in Appearance.objects.of_division(division).values_list("round__number", "entry_id"):
        there.setdefault(number, set()).add(key)
    legs = division.stage.legs
    first = [key for key in entries if key in there.get(1, ())]
    if len(first) < 2:
        return Bracket(division, {}, (), 0, legs)
    order = knockout.Bracket(len(first))
    slots = [entries[first[seed - 1]] if seed <= len(first) else None for seed in order.slots]
    field = _Field(division, legs, _matches(division, entries), there)
    rounds: list[tuple[Tie, ...]] = []
    for number in range(1, order.rounds + 1):
        two = zip(slots[::2], slots[1::2], strict=True)
        ties = [field.tie(place, number, sides) for place, sides in enumerate(two, start=1)]
        slots = [tie.goes_on for tie in ties]
        if len(ties) == 1 and rounds and division.stage.has_third_place:
            lost = [tie.left_behind for tie in rounds[-1]]
            # Only where each semi-final has one loser (F48).
            if all(len(each) == 1 for each in lost) or not all(tie.is_decided for tie in rounds[-1]):
                sides = (lost[0][0] if lost[0] else None, lost[1][0] if lost[1] else None)
                ties.append(field.tie(2, number, sides, is_third_place=True))
        rounds.append(tuple(ties))
    seeds = {key: seed for seed, key in enumerate(first, start=1)}
    return Bracket(division, seeds, tuple(rounds), max(there), legs)


Matches = Mapping[tuple[int, frozenset[int]], Fixture]


def _matches(division: Division, entries: Mapping[int, Entry]) -> Matches:
    """The matches by round and who meets; of two, one of which was made void, the other.

    A bracket may be large: their rounds and entries are read once, not with each match.
    """
    rounds = {each.pk: each for each in division.stage.rounds.all()}
    found = Fixture.objects.filter(division=division).select_related("tie_decision")
    found = found.prefetch_related("appearances")
    for match in found:
        match.division, match.round = division, rounds[match.round_id]
        for side in match.sides:
            side.entry = entries[side.entry_id]
    return {
        (each.round.number, frozenset(side.entry_id for side in each.sides)): each
        for each in sorted(found, key=_counts_last)
    }


def _counts_last(match: Fixture) -> tuple[bool, int]:
    return match.status != Fixture.Status.VOID, match.pk


@dataclass(frozen=True, slots=True)
class _Field:
    """What the ties of a bracket are read from: its matches, and who stands in each round."""

    division: Division
    legs: int
    matches: Matches
    there: Mapping[int, AbstractSet[int]]

    def tie(
        self,
        place: int,
        round_: int,
        sides: tuple[Entry | None, Entry | None],
        *,
        is_third_place: bool = False,
    ) -> Tie:
        """The tie of these sides, decided as far as it is."""
        came = [each for each in sides if each is not None]
        first = (round_ - 1) * self.legs + 1
        two = frozenset(each.pk for each in came)
        found = (self.matches.get((number, two)) for number in range(first, first + self.legs))
        legs = tuple(each for each in found if each is not None)
        decision = _decision_of_legs(legs)
        if legs:
            outcome = decide(legs, decision)
        else:
            outcome = _without_a_match(came, self.there.get(first, frozenset()), first=round_ == 1)
        winner = next((each for each in came if each.pk == outcome.winner), None)
        next_ = self.there.get(first + self.legs, frozenset()) if not outcome.is_decided else frozenset()
        on = [each for each in came if each.pk in next_]
        if len(on) == 2:
            on = self._in_the_final(on, first + self.legs)
        drawn_on = on[0] if len(on) == 1 else None
        return Tie(place, round_, *sides, legs, decision, winner, outcome.how, is_third_place, drawn_on)

    def _in_the_final(self, two: list[Entry], number: int) -> list[Entry]:
        """Of two who both stand in the last round, the one in the final: it is written before the match for place 3."""
        there = [
            match
            for (round_, _sides), match in self.matches.items()
            if round_ == number and match.status != Fixture.Status.VOID
        ]
        final = min(there, key=lambda match: match.pk) if len(there) == 2 else None
        return [each for each in two if final is not None and each in final.entries]


def _without_a_match(came: list[Entry], there: AbstractSet[int], *, first: bool) -> Outcome:
    here = [each for each in came if each.pk in there]
    if not there or len(here) > 1:
        return Outcome(None, How.OPEN)
    if not here:
        return Outcome(None, How.EMPTY)
    return Outcome(here[0].pk, How.BYE if first or len(came) == 1 else How.LEFT)


def decision_of(fixture: Fixture) -> TieDecision | None:
    """What decides the match besides its result, if anything does."""
    found: TieDecision | None = getattr(fixture, "tie_decision", None)
    return found


def _decision_of_legs(legs: Sequence[Fixture]) -> TieDecision | None:
    return next((row for leg in reversed(legs) if (row := decision_of(leg)) is not None), None)


def by_result(fixture: Fixture) -> int | None:
    """Who won by the result alone, by key."""
    ahead = [
        side.entry_id
        for side in fixture.sides
        if side.outcome == Appearance.Outcome.WON
        or (side.outcome == Appearance.Outcome.PLAYED and side.rank == 1)
    ]
    return ahead[0] if len(ahead) == 1 else None


def may_be_level(fixture: Fixture) -> bool:
    """Whether its result alone doesn't say who goes on."""
    is_played = fixture.status == Fixture.Status.CONFIRMED and fixture.has_result
    return is_played and (fixture.round.stage.legs > 1 or by_result(fixture) is None)


def decide(legs: Sequence[Fixture], decision: TieDecision | None) -> Outcome:
    """Who goes on from the matches of a tie: a director's word, then the results, then extra boards (F44 to F47).

    Who gives one leg away loses the tie: it has no points that could be added to those of the others.
    """
    last = legs[-1]
    if decision is not None and decision.winner_id is not None:
        return Outcome(decision.winner_id, How.RULED)
    for leg in legs:
        if any(side.outcome == Appearance.Outcome.LOST for side in leg.sides):
            return Outcome(by_result(leg), How.WALKOVER)
    extra = decision.extra if decision is not None else []
    decided = level_tie(legs, extra).decide()
    if decided.by == By.UNFINISHED and any(leg.status == Fixture.Status.VOID for leg in legs):
        return Outcome(None, How.VOID)
    if decided.by == By.UNFINISHED and last.has_result and last.withdrawn:
        # Another leg is due, and who left loses it (F46).
        staying = [each.pk for each in last.entries if each not in last.withdrawn]
        return Outcome(staying[0] if staying else None, How.WALKOVER)
    if decided.by in {By.LEVEL, By.UNFINISHED}:
        return Outcome(None, How.LEVEL if decided.by == By.LEVEL else How.OPEN)
    how = How.EXTRA if decided.by in {By.EXTRA_BOARDS, By.SUDDEN_DEATH} else How.PLAYED
    return Outcome(last.home_id if decided.winner == "home" else last.away_id, how)


def level_tie(legs: Sequence[Fixture], extra: Iterable[Iterable[int]]) -> LevelTie:
    """The legs as far as they have a result, with these points on extra boards, as the engine decides them.

    Home is who was at home in the last leg.
    """
    last, stage = legs[-1], legs[-1].round.stage
    sign = -1 if is_lower_better(last) else 1
    points: list[tuple[int, int]] = []
    for leg in legs:
        home, away = leg.side_of(last.home_id), leg.side_of(last.away_id)
        if home is None or away is None or not leg.has_result:
            break
        if len(legs) == 1 and stage.legs == 1:
            # One match is decided by its ranks, whatever its sides scored: teams have points of their own.
            points.append((away.rank or 0, home.rank or 0))
        else:
            points.append((sign * (home.score or 0), sign * (away.score or 0)))
    sets = tuple((sign * home, sign * away) for home, away in extra)
    return LevelTie(
        is_aggregate=stage.is_aggregate,
        best_of=stage.legs,
        legs=tuple(points),
        extra=sets,
    )


def extra_boards(fixture: Fixture, decision: TieDecision | None) -> int:
    """How many boards the next set of a level tie has (F45): an eighth of its boards, at least 2, twice; then 1."""
    if decision is not None and len(decision.extra) >= knockout.EXTRA_SETS:
        return 1
    return extra_boards_in_a_set(fixture.division.competition)


def extra_boards_in_a_set(competition: Competition) -> int:
    """How many boards each of the first two sets has (F45)."""
    port = extension.layer().games.get(competition.game)
    deals = port.deals_in_match(competition.rules) if port is not None else 0
    return max(2, -(-deals * competition.stage.legs // 8))


@dataclass(frozen=True, slots=True)
class NextExtra:
    """What a level tie plays now: so many boards, those of the round's reserve or dealt at the table (F45)."""

    boards: int
    reserve: tuple[extension.ExtraBoard, ...] = ()

    @property
    def numbers(self) -> str:
        """Of the boards from the reserve."""
        return ", ".join(str(each.number) for each in self.reserve)

    @property
    def words(self) -> str:
        """The same as a sentence."""
        if not self.reserve:
            return ngettext(
                "Now play %(boards)d extra board, dealt at the table.",
                "Now play %(boards)d extra boards, dealt at the table.",
                self.boards,
            ) % {"boards": self.boards}
        named = [
            _("%(number)d (dealer %(dealer)s)") % {"number": each.number, "dealer": each.dealer}
            for each in self.reserve
        ]
        return _("Now play these boards from the reserve: %(boards)s.") % {"boards": ", ".join(named)}


def next_extra(ties: Iterable[Tie]) -> dict[int, NextExtra]:
    """What level ties play now, by the match that was drawn last; two queries at most."""
    return _next_extra(
        (tie.fixture, tie.decision) for tie in ties if tie.how == How.LEVEL and tie.fixture is not None
    )


def next_extra_of(fixture: Fixture) -> NextExtra | None:
    """What the tie of this match plays now, read from its legs alone: a bracket may be large."""
    legs = _legs_of(fixture)
    decision = _decision_of_legs(legs)
    if decide(legs, decision).how != How.LEVEL:
        return None
    return _next_extra([(legs[-1], decision)])[legs[-1].pk]


def _legs_of(fixture: Fixture) -> Sequence[Fixture]:
    """The matches of its tie that are drawn, one a round: where one was made void and drawn again, the new one."""
    stage, number = fixture.round.stage, fixture.round.number
    if stage.legs == 1:
        return (fixture,)
    first = number - (number - 1) % stage.legs
    found = Fixture.objects.filter(
        division=fixture.division_id, round__number__range=(first, first + stage.legs - 1)
    ).with_pairs()
    for entry in fixture.entries:
        found = found.filter(Exists(Appearance.objects.filter(fixture=OuterRef("pk"), entry=entry)))
    by_round = {
        each.round.number: each for each in sorted(found.select_related("tie_decision"), key=_counts_last)
    }
    return [by_round[each] for each in sorted(by_round)]


def _next_extra(levels: Iterable[tuple[Fixture, TieDecision | None]]) -> dict[int, NextExtra]:
    played = {
        match: (match.round_id, len(decision.extra) if decision else 0, decision)
        for match, decision in levels
    }
    asked = {(round_, sets) for round_, sets, _decision in played.values()}
    sealed = extension.layer().extra_boards(asked) if asked else {}
    return {
        match.pk: NextExtra(extra_boards(match, decision), tuple(sealed.get((round_, sets), ())))
        for match, (round_, sets, decision) in played.items()
    }


def is_lower_better(fixture: Fixture) -> bool:
    """Whether the fewer points win, also on extra boards."""
    game = extension.layer().games.get(fixture.round.competition.game)
    return game is not None and game.lower_is_better


def goes_below_zero(competition: Competition) -> bool:
    """Whether extra boards can cost a side points: in games where a deal can, and by net scores of teams."""
    game = extension.layer().games.get(competition.game)
    return competition.is_of_teams or game is None or game.goes_below_zero


def stands(bracket: Bracket, tie: Tie) -> bool:
    """Whether the next round, if it is drawn, has those in it who go on from this tie, and nobody else of it."""
    if tie.round >= bracket.drawn:
        return True
    if not tie.is_decided:
        return False
    number = bracket.numbers_of(tie.round + 1)[0]
    rows = Appearance.objects.of_division(bracket.division).filter(round__number=number)
    there = dict(
        rows.exclude(outcome=Appearance.Outcome.VOID).values_list("entry_id", "outcome").order_by("pk")
    )
    own = {each.pk: each for each in tie.entries}
    expected: set[int] = set()
    for after in bracket.following(tie):
        expected |= {each.pk for each in after.entries}
        for key in own.keys() & {each.pk for each in after.entries}:
            # Without a match it sits out, or had withdrawn before the draw.
            sits_out = there.get(key) == Appearance.Outcome.BYE
            had_left = own[key].withdrawn_at is not None and key not in there
            if not after.legs and not sits_out and not had_left:
                return False
    return not (own.keys() & there.keys()) - expected
