"""A knock-out round by round: drawing the winners, and what decides a match besides its result (F40 to F50)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from league import extension, formats, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import advancement, fixtures, telling
from league.models import Competition, Division, Entry, Fixture, Round, TieDecision
from league.notices import events
from league.standings import brackets
from league.standings.brackets import Bracket, How, Tie
from league.standings.services import standings
from league.validation import one_line
from league.words import sentences

MOST_POINTS = 100_000
MOST_EXTRA_SETS = 20
LONGEST_REASON = 300


class Table(NamedTuple):
    """A match of a round, numbered from the top of the bracket."""

    number: int
    home: Entry
    away: Entry
    scores: tuple[str, ...] = ()
    met: int = 0

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Both, home first."""
        return self.home, self.away


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knock-out as it follows from the one before it: there is one way only to draw it."""

    division: Division
    round: Round
    ties: tuple[Tie, ...]
    missing: tuple[Fixture, ...] = ()
    resting: tuple[Entry, ...] = ()
    seed: str = ""
    cost: list[Any] = field(default_factory=list)
    least_cost: list[Any] = field(default_factory=list)
    is_changed: bool = False

    @property
    def tables(self) -> list[Table]:
        """Who meets; the upper side of the bracket is at home in the first leg (F43)."""
        return [
            Table(tie.number, here[0], here[1])
            for tie in self.ties
            if len(here := _here(tie, self.round)) == 2
        ]

    @property
    def sitting_out(self) -> tuple[Entry, ...]:
        """Who goes on without a match: nobody came up on the other side, or they withdrew."""
        alone = (here for tie in self.ties if len(here := _here(tie, self.round)) == 1)
        return tuple(here[0] for here in alone)

    @property
    def bye(self) -> Entry | None:
        """In a knock-out it may be several: see `sitting_out`."""
        return None

    @property
    def written(self) -> str:
        """The tables as the trail keeps them."""
        met = [f"{table.home.pk}-{table.away.pk}" for table in self.tables]
        return ",".join([*met, *(str(each.pk) for each in self.sitting_out)])

    @property
    def proposed(self) -> str:
        """The same: a director changes nothing in it."""
        return self.written

    @property
    def digest(self) -> str:
        """Stands for all that the draw follows from: what somebody else changed meanwhile gives another."""
        return blake2b(f"{self.round.pk}:{self.written}".encode(), digest_size=8).hexdigest()


def _here(tie: Tie, round_: Round) -> tuple[Entry, ...]:
    """Who plays in it, home first: in a round that is not drawn yet not who has withdrawn."""
    drawn = next((leg for leg in tie.legs if leg.round_id == round_.pk), None)
    if drawn is not None:
        return drawn.entries
    leg = (round_.number - 1) % round_.stage.legs
    if leg:
        sides = tie.entries if leg % 2 == 0 else tie.entries[::-1]
        return sides if tie.legs and tie.how == How.OPEN else ()
    if round_.number == 1:
        return tie.entries
    return tuple(each for each in tie.entries if each.withdrawn_at is None)


def propose(*, division: Division, round_: Round) -> BracketRound:
    """The winners of the round before, or the next leg of the ties that need one. Raises Conflict if it is too early.

    A leg that is needed whatever comes of those before it can be drawn ahead of their results.
    """
    bracket = brackets.of_division(division)
    waiting = bracket.undecided
    leg = (round_.number - 1) % bracket.legs
    if leg:
        is_needed = leg < formats.legs_in_any_case(division.stage.options)
        waiting = tuple(each for each in waiting if not is_needed and _is_played_on(each))
    if waiting:
        names = ", ".join(_named(tie) for tie in waiting)
        raise Conflict(_("It is not decided yet who goes on from: %(matches)s.") % {"matches": names})
    place = -(-round_.number // bracket.legs)
    if not 1 < round_.number <= len(bracket.rounds) * bracket.legs or place > bracket.drawn + 1:
        raise Conflict(_("This round is not one of the bracket."))
    found = BracketRound(division, round_, bracket.rounds[place - 1])
    if not found.written:
        raise Conflict(_("Nobody is left in this knock-out. Leave out the rounds that are not drawn."))
    return found


def drawn(*, division: Division, round_: Round) -> BracketRound | None:
    """The round as it was drawn; None where it is not."""
    bracket = brackets.of_division(division)
    if not 1 <= round_.number <= min(bracket.last, len(bracket.rounds) * bracket.legs):
        return None
    return BracketRound(division, round_, bracket.rounds[(round_.number - 1) // bracket.legs])


def _is_played_on(tie: Tie) -> bool:
    """Whether a leg that is drawn has no result yet."""
    return tie.how == How.OPEN and any(not leg.has_result for leg in tie.legs)


def _named(tie: Tie) -> str:
    return str(tie.fixture) if tie.fixture else " – ".join(map(str, tie.entries))


def is_empty(competition: Competition) -> bool:
    """Whether in every division somebody has won, or nobody is left."""
    return all(_is_through(brackets.of_division(each)) for each in competition.stage.divisions.all())


def _is_through(bracket: Bracket) -> bool:
    if bracket.is_over or not bracket.rounds or bracket.undecided:
        return bracket.is_over or not bracket.rounds
    following = bracket.rounds[bracket.drawn] if bracket.drawn < len(bracket.rounds) else ()
    return not any(each.withdrawn_at is None for tie in following for each in tie.entries)


@transaction.atomic
def play_extra(*, actor: Actor, fixture: Fixture, scores: Sequence[int], at: datetime) -> TieDecision:
    """What both sides made of a set of extra boards after a level tie, in the order of its last match (F45).

    The first two sets are of an eighth of the tie's boards, then it is one board at a time.
    """
    tie, row = _locked(actor, fixture, at)
    fixture = row.fixture
    if tie.how != How.LEVEL:
        raise Conflict(_("Extra boards are for a match that is level."))
    if len(scores) != 2 or any(abs(each) > MOST_POINTS for each in scores):
        raise Invalid(_("Enter the points of both sides."))
    if min(scores) < 0 and not brackets.goes_below_zero(fixture.round.competition):
        raise Invalid(_("Points can’t be below 0 in this game."))
    if len(row.extra) >= MOST_EXTRA_SETS:
        raise Conflict(_("So many extra boards are enough: decide who goes on."))
    before = _facts(row)
    row.extra = [*row.extra, list(scores)]
    _save(actor, fixture, row, at)
    said = sentences.gettext("Extra boards: %(home)d–%(away)d") % {"home": scores[0], "away": scores[1]}
    _note(actor, fixture, "tie.extra_boards", said, before, row)
    advancement.follow(actor=actor, fixture=fixture, at=at)
    _tell_of(actor, fixture, home=scores[0], away=scores[1])
    return row


@transaction.atomic
def rule(
    *, actor: Actor, fixture: Fixture, winner: Entry, reason: str, at: datetime, void_later: bool = False
) -> TieDecision:
    """A director says who goes on, with the reason: by lot, instead of who withdrew, or after a correction.

    Where the next round is drawn with the other side already, this one takes its place as long as that match has not
    begun (F47, F49). After that the choice is: it stands, or with `void_later` that match is void.
    """
    tie, row = _locked(actor, fixture, at)
    fixture = row.fixture
    entry = next((each for each in fixture.entries if each.pk == winner.pk), None)
    if entry is None:
        raise Invalid(_("Choose one of the two sides."))
    is_void = any(leg.status == Fixture.Status.VOID for leg in tie.legs)
    if not is_void and tie.goes_on is None and not any(leg.has_result for leg in tie.legs):
        raise Conflict(_("This match has no result yet. Enter it, or give a walkover."))
    if entry.withdrawn_at is not None:
        raise Conflict(_("%(name)s already withdrew.") % {"name": entry})
    row.reason = _needs_reason(reason)
    change = advancement.foreseen(fixture=fixture, winner=entry)
    if change.is_too_late:
        raise Conflict(_("The round after the next one is drawn already: it can only stand as it is."))
    if change.played:
        raise Conflict(
            _("%(matches)s has a result. Take the result back first, or let it stand.")
            % {"matches": ", ".join(map(str, change.played))}
        )
    if change.begun and not void_later:
        raise Conflict(
            _("%(match)s has begun. Let it stand, or say that this match is void.")
            % {"match": ", ".join(map(str, change.begun))}
        )
    before = _facts(row)
    row.winner = entry
    _save(actor, fixture, row, at)
    said = sentences.gettext("%(entry)s go on") % {"entry": str(entry)}
    _note(actor, fixture, "tie.ruled", said, before, row)
    if change.meetings:
        for old in change.begun:
            fixtures.void(actor=actor, fixture=old, reason=row.reason)
        advancement.exchange(actor=actor, tie=tie, change=change, why="taken_back", at=at, reason=row.reason)
        # After both had lost there is somebody again who plays for place 3.
        advancement.follow(actor=actor, fixture=fixture, at=at)
    _tell_of(actor, fixture, reason=row.reason)
    return row


def _tell_of(actor: Actor, fixture: Fixture, **said: Any) -> None:
    """The games and the players hear who goes on, once somebody does."""
    tie = brackets.of_division(fixture.division).tie_of(fixture.pk)
    if tie is None or tie.winner is None:
        return
    extension.layer().tie_decided(fixture=fixture)
    telling.tell(actor=actor, event=events.TIE, fixture=fixture, winner=str(tie.winner), **said)


@transaction.atomic
def take_back(*, actor: Actor, fixture: Fixture, reason: str, at: datetime) -> None:
    """Takes back what was decided besides the result: the extra boards, or who goes on."""
    _tie, row = _locked(actor, fixture, at)
    fixture, reason = row.fixture, _needs_reason(reason)
    if row.pk is None:
        raise Conflict(_("There is nothing to take back."))
    before = _facts(row)
    row.delete()
    fixture.refresh_from_db()
    said = sentences.gettext("Decision on who goes on undone")
    _note(actor, fixture, "tie.taken_back", said, before, None, reason)
    advancement.follow(actor=actor, fixture=fixture, at=at)
    standings.bump(competition=fixture.round.competition)


def _locked(actor: Actor, fixture: Fixture, at: datetime) -> tuple[Tie, TieDecision]:
    """The tie that the match is a leg of, and what decides it: of the leg that was drawn last."""
    fixture = fixtures.locked(fixture)
    policies.require(actor, "fixture.rule", fixture)
    if not fixture.round.stage.is_bracket:
        raise Conflict(_("This is for a knock-out."))
    tie = brackets.of_division(fixture.division).tie_of(fixture.pk)
    if tie is None or tie.fixture is None:
        raise Conflict(_("Another match has taken the place of this one in the bracket."))
    last = fixtures.locked(tie.fixture)
    fixtures.check_not_final(last)
    row = TieDecision.objects.filter(fixture__in=[leg.pk for leg in tie.legs]).order_by("-fixture").first()
    row = row or TieDecision(fixture=last, made_at=at)
    row.fixture = last
    return tie, row


def _needs_reason(reason: str) -> str:
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the match."))
    return one_line(reason)[:LONGEST_REASON]


def _facts(row: TieDecision) -> dict[str, Any]:
    return {"extra": row.extra, "winner": row.winner_id}


def _save(actor: Actor, fixture: Fixture, row: TieDecision, at: datetime) -> None:
    row.made_by, row.made_at = person(actor), at
    row.save()
    standings.bump(competition=fixture.round.competition)


def _note(  # noqa: PLR0917 - in the order of the sentence
    actor: Actor,
    fixture: Fixture,
    action: str,
    said: sentences.Said,
    before: dict[str, Any],
    row: TieDecision | None,
    reason: str = "",
) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=said,
        fixture=fixture,
        before=before,
        after=_facts(row) if row else None,
        reason=reason or (row.reason if row else ""),
    )
